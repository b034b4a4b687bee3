{#
  default__get_where_subquery: what dbt's tests select from. A test of a source whose contract has
  columns that may still be absent names the macro that says them in its `meta`; to such a test an
  absent column is a typed null. For all other tests it is what dbt itself does.
#}
{% macro default__get_where_subquery(relation) %}
    {%- set where = config.get('where', '') -%}
    {%- set shape = (config.get('meta') or {}).get('contract_shape') -%}
    {%- set absent = contract_optional(context[shape]()) | trim if shape and execute else '' -%}
    {%- set selected = '(select loaded.*' ~ absent ~ ' from ' ~ relation ~ ' loaded)' if absent else relation -%}
    {%- if where -%}
        {{- return('(select * from ' ~ selected ~ (' loaded' if absent else '') ~ ' where ' ~ where ~ ') dbt_subquery') -}}
    {%- elif absent -%}
        {{- return(selected ~ ' dbt_subquery') -}}
    {%- endif -%}
    {{- return(relation) -}}
{% endmacro %}
