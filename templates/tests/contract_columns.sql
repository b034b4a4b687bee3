{# contract_all_present: the condition "no part of the key is null". #}
{% macro contract_all_present(columns) %}
    {%- set conditions = [] -%}
    {%- for column in columns -%}
        {%- do conditions.append(column ~ ' is not null') -%}
    {%- endfor -%}
    {{- return(conditions | join(' and ')) -}}
{% endmacro %}

{# contract_failing_row: what a failing row shows; the whole row where failures are stored. #}
{% macro contract_failing_row(column_name) %}
    {{- return('*' if should_store_failures() else column_name) -}}
{% endmacro %}
