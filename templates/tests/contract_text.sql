{#
  Columns as text.

  contract_text       the expression as text, whatever its type, not cut short
  contract_length_of  its length in characters, not bytes
#}
{% macro contract_text(expression) %}
    {{- return(adapter.dispatch('contract_text')(expression)) -}}
{% endmacro %}

{% macro default__contract_text(expression) %}
    {{- return('cast(' ~ expression ~ ' as ' ~ dbt.type_string() | trim ~ ')') -}}
{% endmacro %}

{# `text` is varchar(256) there. #}
{% macro redshift__contract_text(expression) %}
    {{- return('cast(' ~ expression ~ ' as varchar(65535))') -}}
{% endmacro %}

{% macro trino__contract_text(expression) %}
    {{- return('cast(' ~ expression ~ ' as varchar)') -}}
{% endmacro %}

{# A cast to String refuses nulls. #}
{% macro clickhouse__contract_text(expression) %}
    {{- return('toString(' ~ expression ~ ')') -}}
{% endmacro %}

{% macro sqlserver__contract_text(expression) %}
    {{- return('cast(' ~ expression ~ ' as nvarchar(max))') -}}
{% endmacro %}

{% macro fabric__contract_text(expression) %}
    {{- return('cast(' ~ expression ~ ' as varchar(max))') -}}
{% endmacro %}

{% macro synapse__contract_text(expression) %}
    {{- return(sqlserver__contract_text(expression)) -}}
{% endmacro %}

{# Also takes a clob. #}
{% macro oracle__contract_text(expression) %}
    {{- return('to_char(' ~ expression ~ ')') -}}
{% endmacro %}

{% macro mysql__contract_text(expression) %}
    {{- return('cast(' ~ expression ~ ' as char)') -}}
{% endmacro %}

{% macro mysql5__contract_text(expression) %}
    {{- return(mysql__contract_text(expression)) -}}
{% endmacro %}

{% macro mariadb__contract_text(expression) %}
    {{- return(mysql__contract_text(expression)) -}}
{% endmacro %}

{% macro teradata__contract_text(expression) %}
    {{- return('cast(' ~ expression ~ ' as varchar(32000) character set unicode)') -}}
{% endmacro %}


{% macro contract_length_of(expression) %}
    {{- return(adapter.dispatch('contract_length_of')(expression)) -}}
{% endmacro %}

{% macro default__contract_length_of(expression) %}
    {{- return('length(' ~ contract_text(expression) ~ ')') -}}
{% endmacro %}

{% macro contract_char_length_of(expression) %}
    {{- return('char_length(' ~ contract_text(expression) ~ ')') -}}
{% endmacro %}

{% macro redshift__contract_length_of(expression) %}
    {{- return(contract_char_length_of(expression)) -}}
{% endmacro %}

{% macro bigquery__contract_length_of(expression) %}
    {{- return(contract_char_length_of(expression)) -}}
{% endmacro %}

{% macro spark__contract_length_of(expression) %}
    {{- return(contract_char_length_of(expression)) -}}
{% endmacro %}

{% macro mysql__contract_length_of(expression) %}
    {{- return(contract_char_length_of(expression)) -}}
{% endmacro %}

{% macro mysql5__contract_length_of(expression) %}
    {{- return(contract_char_length_of(expression)) -}}
{% endmacro %}

{% macro mariadb__contract_length_of(expression) %}
    {{- return(contract_char_length_of(expression)) -}}
{% endmacro %}

{% macro teradata__contract_length_of(expression) %}
    {{- return(contract_char_length_of(expression)) -}}
{% endmacro %}

{% macro clickhouse__contract_length_of(expression) %}
    {{- return('lengthUTF8(' ~ contract_text(expression) ~ ')') -}}
{% endmacro %}

{# to_char fails on a clob over 4000 bytes, length does not. #}
{% macro oracle__contract_length_of(expression) %}
    {{- return('length(' ~ expression ~ ')') -}}
{% endmacro %}

{# len() forgets trailing blanks. #}
{% macro sqlserver__contract_length_of(expression) %}
    {{- return("len(replace(" ~ contract_text(expression) ~ ", ' ', '_'))") -}}
{% endmacro %}

{% macro fabric__contract_length_of(expression) %}
    {{- return(sqlserver__contract_length_of(expression)) -}}
{% endmacro %}
