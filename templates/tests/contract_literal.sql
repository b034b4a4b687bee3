{#
  SQL literals out of contract values.

  contract_literal   string, number, boolean or none -> literal of that kind
  contract_boolean   boolean -> literal, or a bit where there are no booleans
  contract_string    text -> literal, whatever quotes and backslashes it holds
#}
{% macro contract_literal(value) %}
    {%- if value is none -%}
        null
    {%- elif value is boolean -%}
        {{ contract_boolean(value) }}
    {%- elif value is number -%}
        {{ value }}
    {%- else -%}
        {{ contract_string(value) }}
    {%- endif -%}
{% endmacro %}


{% macro contract_boolean(value) %}
    {{- return(adapter.dispatch('contract_boolean')(value)) -}}
{% endmacro %}

{% macro default__contract_boolean(value) %}
    {{- return('true' if value else 'false') -}}
{% endmacro %}

{% macro contract_boolean_as_bit(value) %}
    {{- return('1' if value else '0') -}}
{% endmacro %}

{% macro sqlserver__contract_boolean(value) %}
    {{- return(contract_boolean_as_bit(value)) -}}
{% endmacro %}

{% macro fabric__contract_boolean(value) %}
    {{- return(contract_boolean_as_bit(value)) -}}
{% endmacro %}

{% macro oracle__contract_boolean(value) %}
    {{- return(contract_boolean_as_bit(value)) -}}
{% endmacro %}

{% macro teradata__contract_boolean(value) %}
    {{- return(contract_boolean_as_bit(value)) -}}
{% endmacro %}

{% macro sqlite__contract_boolean(value) %}
    {{- return(contract_boolean_as_bit(value)) -}}
{% endmacro %}


{% macro contract_string(value) %}
    {{- return(adapter.dispatch('contract_string')(value | string)) -}}
{% endmacro %}

{% macro default__contract_string(value) %}
    {{- return(dbt.string_literal(dbt.escape_single_quotes(value))) -}}
{% endmacro %}

{# Where a backslash starts an escape inside a literal, each one is doubled first. #}
{% macro contract_string_with_backslashes(value) %}
    {{- return(dbt.string_literal(dbt.escape_single_quotes(value | replace('\\', '\\\\')))) -}}
{% endmacro %}

{% macro snowflake__contract_string(value) %}
    {{- return(contract_string_with_backslashes(value)) -}}
{% endmacro %}

{% macro bigquery__contract_string(value) %}
    {{- return(contract_string_with_backslashes(value)) -}}
{% endmacro %}

{% macro redshift__contract_string(value) %}
    {{- return(contract_string_with_backslashes(value)) -}}
{% endmacro %}

{# databricks inherits this one. #}
{% macro spark__contract_string(value) %}
    {{- return(contract_string_with_backslashes(value)) -}}
{% endmacro %}

{% macro clickhouse__contract_string(value) %}
    {{- return(contract_string_with_backslashes(value)) -}}
{% endmacro %}

{% macro mysql__contract_string(value) %}
    {{- return(contract_string_with_backslashes(value)) -}}
{% endmacro %}

{% macro mysql5__contract_string(value) %}
    {{- return(contract_string_with_backslashes(value)) -}}
{% endmacro %}

{% macro mariadb__contract_string(value) %}
    {{- return(contract_string_with_backslashes(value)) -}}
{% endmacro %}

{# Without N the server squeezes the text through its code page. #}
{% macro sqlserver__contract_string(value) %}
    {{- return('N' ~ default__contract_string(value)) -}}
{% endmacro %}

{% macro synapse__contract_string(value) %}
    {{- return('N' ~ default__contract_string(value)) -}}
{% endmacro %}
