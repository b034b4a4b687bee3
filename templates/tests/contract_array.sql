{#
  Arrays, where the warehouse has them.

  contract_array_size            number of items
  contract_array_has_duplicates  condition "two items are equal"; two nulls are
#}
{% macro contract_array_size(expression) %}
    {{- return(adapter.dispatch('contract_array_size')(expression)) -}}
{% endmacro %}

{% macro default__contract_array_size(expression) %}
    {{- contract_array_unsupported('size') -}}
    {{- return('0') -}}
{% endmacro %}

{% macro duckdb__contract_array_size(expression) %}
    {{- return('len(' ~ expression ~ ')') -}}
{% endmacro %}

{# array_length of an empty array is null. #}
{% macro postgres__contract_array_size(expression) %}
    {{- return('coalesce(array_length(' ~ expression ~ ', 1), 0)') -}}
{% endmacro %}

{% macro redshift__contract_array_size(expression) %}
    {{- return('get_array_length(' ~ expression ~ ')') -}}
{% endmacro %}

{% macro snowflake__contract_array_size(expression) %}
    {{- return('array_size(' ~ expression ~ ')') -}}
{% endmacro %}

{% macro bigquery__contract_array_size(expression) %}
    {{- return('array_length(' ~ expression ~ ')') -}}
{% endmacro %}

{% macro spark__contract_array_size(expression) %}
    {{- return('size(' ~ expression ~ ')') -}}
{% endmacro %}

{% macro trino__contract_array_size(expression) %}
    {{- return('cardinality(' ~ expression ~ ')') -}}
{% endmacro %}

{% macro athena__contract_array_size(expression) %}
    {{- return(trino__contract_array_size(expression)) -}}
{% endmacro %}

{% macro clickhouse__contract_array_size(expression) %}
    {{- return('length(' ~ expression ~ ')') -}}
{% endmacro %}


{% macro contract_array_has_duplicates(expression) %}
    {{- return(adapter.dispatch('contract_array_has_duplicates')(expression)) -}}
{% endmacro %}

{% macro default__contract_array_has_duplicates(expression) %}
    {{- contract_array_unsupported('has_duplicates') -}}
    {{- return('1 = 0') -}}
{% endmacro %}

{# list_unique and list_count leave nulls out. #}
{% macro duckdb__contract_array_has_duplicates(expression) %}
    {{- return(
        '(list_unique(' ~ expression ~ ') < list_count(' ~ expression ~ ')'
        ~ ' or len(' ~ expression ~ ') - list_count(' ~ expression ~ ') > 1)'
    ) -}}
{% endmacro %}

{% macro postgres__contract_array_has_duplicates(expression) %}
    {{- return(
        'exists (select 1 from unnest(' ~ expression ~ ') as item (item_value)'
        ~ ' group by item_value having count(*) > 1)'
    ) -}}
{% endmacro %}

{# No subquery may unnest a super column of the outer row. #}
{% macro redshift__contract_array_has_duplicates(expression) %}
    {{- return(default__contract_array_has_duplicates(expression)) -}}
{% endmacro %}

{% macro snowflake__contract_array_has_duplicates(expression) %}
    {{- return('(array_size(array_distinct(' ~ expression ~ ')) < array_size(' ~ expression ~ '))') -}}
{% endmacro %}

{# By way of JSON: items may be structs. #}
{% macro bigquery__contract_array_has_duplicates(expression) %}
    {{- return(
        'exists (select 1 from unnest(' ~ expression ~ ') as item'
        ~ ' group by to_json_string(item) having count(*) > 1)'
    ) -}}
{% endmacro %}

{% macro spark__contract_array_has_duplicates(expression) %}
    {{- return('(size(array_distinct(' ~ expression ~ ')) < size(' ~ expression ~ '))') -}}
{% endmacro %}

{% macro trino__contract_array_has_duplicates(expression) %}
    {{- return('(cardinality(array_distinct(' ~ expression ~ ')) < cardinality(' ~ expression ~ '))') -}}
{% endmacro %}

{% macro athena__contract_array_has_duplicates(expression) %}
    {{- return(trino__contract_array_has_duplicates(expression)) -}}
{% endmacro %}

{# arrayDistinct leaves nulls out, but not tuples that hold one. #}
{% macro clickhouse__contract_array_has_duplicates(expression) %}
    {{- return(
        '(length(arrayDistinct(arrayMap(item -> tuple(item), ' ~ expression ~ '))) < length(' ~ expression ~ '))'
    ) -}}
{% endmacro %}


{% macro contract_array_unsupported(question) %}
    {{- contract_error(
        "the contract's tests cannot look into arrays on `" ~ target.type ~ "`: "
        ~ "define the macro `" ~ target.type ~ "__contract_array_" ~ question ~ "(expression)`, or remove the rule"
    ) -}}
{% endmacro %}
