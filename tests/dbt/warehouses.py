"""The warehouses that tests run on: a DuckDB file in the project, and the PostgreSQL of
DBT_CONTRACTS_TEST_POSTGRES where that is set. Each says how a profile and a contract's server name it, runs
SQL in the database `gate` with the schema `main` of dbt's target, and goes back to a kept state.
"""

import contextlib
import os
import pathlib
import shutil
import urllib.parse

import duckdb


class DuckDb:
    adapter = "duckdb"
    server = "type: duckdb, database: gate.duckdb"
    profile = "type: duckdb, path: gate.duckdb"

    def __init__(self, project):
        self.file = pathlib.Path(project) / "gate.duckdb"
        self.kept = self.file.with_name("kept.duckdb")

    def execute(self, *statements):
        with duckdb.connect(str(self.file)) as database:
            for statement in statements:
                database.execute(statement)

    def ask(self, query):
        """The names of the columns, and the rows."""
        with duckdb.connect(str(self.file)) as database:
            found = database.execute(query)
            return [column[0] for column in found.description], found.fetchall()

    def keep(self):
        shutil.copy(self.file, self.kept)

    def go_back(self):
        shutil.copy(self.kept, self.file)


class Postgres:
    adapter = "postgres"
    url = urllib.parse.urlsplit(os.environ.get("DBT_CONTRACTS_TEST_POSTGRES", ""))
    server = "type: postgres, host: localhost, port: 5432, database: gate"
    profile = (
        f"type: postgres, host: {url.hostname}, port: {url.port or 5432}, user: {url.username}, "
        f"password: '{url.password or ''}', dbname: gate, schema: main, threads: 1"
    )

    def __init__(self, project):
        # Each project starts with a database of its own, which all call `gate`.
        self.administer("drop database if exists gate", "create database gate")
        self.execute("create schema main")

    @contextlib.contextmanager
    def connection(self, database):
        import psycopg2

        connection = psycopg2.connect(self.url._replace(path=f"/{database}").geturl())
        connection.autocommit = True
        try:
            with connection.cursor() as cursor:
                yield cursor
        finally:
            connection.close()

    def administer(self, *statements):
        with self.connection(self.url.path.lstrip("/")) as cursor:
            for statement in statements:
                cursor.execute(statement)

    def execute(self, *statements):
        with self.connection("gate") as cursor:
            for statement in statements:
                cursor.execute(statement)

    def ask(self, query):
        with self.connection("gate") as cursor:
            cursor.execute("set search_path to main")
            cursor.execute(query)
            return [column[0] for column in cursor.description], cursor.fetchall()

    def keep(self):
        self.administer("drop database if exists kept", "create database kept template gate")

    def go_back(self):
        self.administer("drop database gate", "create database gate template kept")


def available():
    return [DuckDb, Postgres] if Postgres.url.hostname else [DuckDb]
