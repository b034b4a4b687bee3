{#- A custom schema is used as it is, so that the seeds land in `raw`, where
    the contracts of the sources say the tables are. -#}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ custom_schema_name | trim if custom_schema_name else target.schema }}
{%- endmacro %}
