//! The query of each adapter whose result, saved as CSV or JSON, is an observation with full types
//! and nullability.

use crate::dbt::adapter::Adapter;

/// The query, or why the adapter has none.
pub fn export(adapter: Adapter) -> Result<&'static str, &'static str> {
    Ok(match adapter {
        Adapter::DuckDb | Adapter::Trino | Adapter::Athena => STANDARD,
        Adapter::Postgres => POSTGRES,
        Adapter::Redshift => REDSHIFT,
        Adapter::Snowflake => SNOWFLAKE,
        Adapter::BigQuery => BIGQUERY,
        Adapter::Databricks => DATABRICKS,
        Adapter::ClickHouse => CLICKHOUSE,
        Adapter::SqlServer | Adapter::Fabric => SQLSERVER,
        Adapter::MySql => MYSQL,
        Adapter::Oracle => ORACLE,
        Adapter::Sqlite => SQLITE,
        Adapter::Spark => {
            return Err("Spark has no table of columns; `dbt docs generate` writes \
                        `target/catalog.json`, which `--observed` reads");
        }
    })
}

const STANDARD: &str = "\
select table_catalog, table_schema, table_name, column_name, ordinal_position, data_type, is_nullable
from information_schema.columns
where lower(table_schema) <> 'information_schema'
order by table_catalog, table_schema, table_name, ordinal_position
";

const POSTGRES: &str = "\
select
    current_database() as table_catalog,
    nspname as table_schema,
    relname as table_name,
    attname as column_name,
    attnum as ordinal_position,
    format_type(atttypid, atttypmod) as data_type,
    case when attnotnull then 'NO' else 'YES' end as is_nullable
from pg_catalog.pg_attribute
join pg_catalog.pg_class on pg_class.oid = attrelid
join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
where attnum > 0
  and not attisdropped
  and relkind in ('r', 'v', 'm', 'f', 'p')
  and nspname not in ('pg_catalog', 'information_schema')
order by nspname, relname, attnum
";

const REDSHIFT: &str = "\
select
    table_catalog,
    table_schema,
    table_name,
    column_name,
    ordinal_position,
    case
        when data_type in ('character varying', 'character')
            then data_type || '(' || character_maximum_length || ')'
        when data_type = 'numeric'
            then data_type || '(' || numeric_precision || ',' || numeric_scale || ')'
        else data_type
    end as data_type,
    is_nullable
from svv_columns
where table_schema not in ('pg_catalog', 'information_schema')
order by table_schema, table_name, ordinal_position
";

const SNOWFLAKE: &str = "\
select
    table_catalog,
    table_schema,
    table_name,
    column_name,
    ordinal_position,
    case
        when data_type = 'NUMBER'
            then data_type || '(' || numeric_precision || ',' || numeric_scale || ')'
        when data_type = 'TEXT' then 'VARCHAR(' || character_maximum_length || ')'
        else data_type
    end as data_type,
    is_nullable
from information_schema.columns
where table_schema <> 'INFORMATION_SCHEMA'
order by table_schema, table_name, ordinal_position
";

const BIGQUERY: &str = "\
-- one dataset at a time: put its name in place of `dataset`
select table_catalog, table_schema, table_name, column_name, ordinal_position, data_type, is_nullable
from `dataset`.INFORMATION_SCHEMA.COLUMNS
order by table_name, ordinal_position
";

const DATABRICKS: &str = "\
select
    table_catalog,
    table_schema,
    table_name,
    column_name,
    ordinal_position,
    full_data_type as data_type,
    is_nullable
from information_schema.columns
where table_schema <> 'information_schema'
order by table_catalog, table_schema, table_name, ordinal_position
";

const CLICKHOUSE: &str = "\
select
    database as table_schema,
    table as table_name,
    name as column_name,
    position as ordinal_position,
    type as data_type,
    if(type like 'Nullable(%', 'YES', 'NO') as is_nullable
from system.columns
where database not in ('system', 'information_schema', 'INFORMATION_SCHEMA')
order by database, table, position
";

const SQLSERVER: &str = "\
select
    table_catalog,
    table_schema,
    table_name,
    column_name,
    ordinal_position,
    case
        when data_type in ('char', 'varchar', 'nchar', 'nvarchar', 'binary', 'varbinary')
            then data_type + '('
                + case character_maximum_length
                    when -1 then 'max'
                    else cast(character_maximum_length as varchar(10))
                end + ')'
        when data_type in ('decimal', 'numeric')
            then data_type + '(' + cast(numeric_precision as varchar(10)) + ','
                + cast(numeric_scale as varchar(10)) + ')'
        else data_type
    end as data_type,
    is_nullable
from information_schema.columns
order by table_schema, table_name, ordinal_position
";

const MYSQL: &str = "\
select table_schema, table_name, column_name, ordinal_position, column_type as data_type, is_nullable
from information_schema.columns
where table_schema not in ('information_schema', 'mysql', 'performance_schema', 'sys')
order by table_schema, table_name, ordinal_position
";

const ORACLE: &str = "\
select
    owner as table_schema,
    table_name,
    column_name,
    column_id as ordinal_position,
    case
        when data_type in ('VARCHAR2', 'NVARCHAR2', 'CHAR', 'NCHAR')
            then data_type || '(' || char_length || ')'
        when data_type = 'NUMBER' and data_precision is not null
            then data_type || '(' || data_precision || ',' || data_scale || ')'
        else data_type
    end as data_type,
    nullable as is_nullable
from all_tab_columns
order by owner, table_name, column_id
";

const SQLITE: &str = "\
select
    'main' as table_schema,
    sqlite_master.name as table_name,
    pragma_table_info.name as column_name,
    pragma_table_info.cid + 1 as ordinal_position,
    pragma_table_info.type as data_type,
    case when pragma_table_info.\"notnull\" then 'NO' else 'YES' end as is_nullable
from sqlite_master
join pragma_table_info(sqlite_master.name)
where sqlite_master.type in ('table', 'view')
order by sqlite_master.name, pragma_table_info.cid
";
