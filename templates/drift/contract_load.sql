{# contract_optional: the columns that a source may still lack, as typed nulls after all others. #}
{% macro contract_optional(shape) %}
    {%- set relation = source(shape.source, shape.table) -%}
    {%- if execute -%}
        {%- set names = [] -%}
        {%- for column in contract_observed_columns(relation) -%}
            {%- do names.append(column.name | lower) -%}
        {%- endfor -%}
        {%- for column in shape.columns if column.added_in and column.name | lower not in names -%}
            {{- ', ' -}}
            {{- ('cast(null as ' ~ column.absent ~ ')') if column.absent else 'null' -}}
            {{- ' as ' ~ column.sql -}}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}

{#
  contract_record: the post-hook that adds a row to `contract_loads` in the schema of the target:
  which contract was loaded in which state of its schema, why that was right, when and by which run.
#}
{% macro contract_record(shape) %}
    {%- set relation = source(shape.source, shape.table) -%}
    {%- if execute and flags.WHICH in ['run', 'build', 'retry', 'snapshot'] -%}
        {%- set loads = api.Relation.create(
            database=target.database, schema=target.schema, identifier='contract_loads', type='table'
        ) -%}
        {%- if adapter.get_relation(
            database=loads.database, schema=loads.schema, identifier=loads.identifier
        ) is none -%}
            {%- do run_query(contract_loads_table(loads)) -%}
            {%- do adapter.cache_added(loads) -%}
        {%- endif -%}
        {%- set found = contract_drift(relation, shape) %}
insert into {{ loads }} (
    contract_id, contract_version, schema_version, model, diff_reason, invocation_id, loaded_at
)
select
    {{ dbt.string_literal(shape.contract) }},
    {{ dbt.string_literal(shape.version) }},
    {{ found.schema_version }},
    {{ dbt.string_literal(this | string) }},
    {{ dbt.string_literal(found.reason) }},
    {{ dbt.string_literal(invocation_id) }},
    {{ dbt.current_timestamp() }}
    {%- endif -%}
{% endmacro %}

{# contract_loads_table: the statement that makes the table. #}
{% macro contract_loads_table(loads) %}
create table {{ loads }} (
    contract_id {{ dbt.type_string() }},
    contract_version {{ dbt.type_string() }},
    schema_version {{ dbt.type_int() }},
    model {{ dbt.type_string() }},
    diff_reason {{ dbt.type_string() }},
    invocation_id {{ dbt.type_string() }},
    loaded_at {{ dbt.type_timestamp() }}
)
{% endmacro %}

{#
  contract_observe: prints a line of JSON for each source table that a contract describes, which
  `dbt-contracts drift --observed` reads:
  dbt --quiet run-operation contract_observe > observed.jsonl
#}
{% macro contract_observe() %}
    {%- for node in graph.sources.values()
        if (node.config.get('meta') or {}).data_contract or (node.source_meta or {}).data_contract -%}
        {%- set relation = adapter.get_relation(
            database=node.database, schema=node.schema, identifier=node.identifier
        ) -%}
        {%- if relation is not none -%}
            {%- set columns = [] -%}
            {%- for column in adapter.get_columns_in_relation(relation) -%}
                {%- do columns.append({'name': column.name, 'type': column.data_type}) -%}
            {%- endfor -%}
            {%- do print(tojson({
                'source': node.source_name,
                'table': node.name,
                'database': node.database,
                'schema': node.schema,
                'identifier': node.identifier,
                'columns': columns,
            })) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}
