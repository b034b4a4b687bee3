{#
  contract_remainder: what is left of the expression after division. Computed in decimals:
  in binary floating point 0.3 is no multiple of 0.1.
#}
{% macro contract_remainder(expression, divisor) %}
    {{- return(adapter.dispatch('contract_remainder')(expression, divisor)) -}}
{% endmacro %}

{% macro default__contract_remainder(expression, divisor) %}
    {{- return('mod(cast(' ~ expression ~ ' as decimal(38, 9)), ' ~ contract_decimal_text(divisor) ~ ')') -}}
{% endmacro %}

{# By way of text: the shortest decimal that reads back as the same double. #}
{% macro duckdb__contract_remainder(expression, divisor) %}
    {{- return('mod(cast(cast(' ~ expression ~ ' as varchar) as decimal(38, 9)), ' ~ contract_decimal_text(divisor) ~ ')') -}}
{% endmacro %}

{% macro postgres__contract_remainder(expression, divisor) %}
    {{- return('mod(cast(' ~ expression ~ ' as numeric), ' ~ contract_decimal_text(divisor) ~ ')') -}}
{% endmacro %}

{% macro redshift__contract_remainder(expression, divisor) %}
    {{- return(default__contract_remainder(expression, divisor)) -}}
{% endmacro %}

{# A literal with a decimal point would be a double. #}
{% macro bigquery__contract_remainder(expression, divisor) %}
    {{- return('mod(cast(' ~ expression ~ " as bignumeric), bignumeric '" ~ contract_decimal_text(divisor) ~ "')") -}}
{% endmacro %}

{% macro sqlserver__contract_remainder(expression, divisor) %}
    {{- return('(cast(' ~ expression ~ ' as decimal(38, 9)) % ' ~ contract_decimal_text(divisor) ~ ')') -}}
{% endmacro %}

{% macro fabric__contract_remainder(expression, divisor) %}
    {{- return(sqlserver__contract_remainder(expression, divisor)) -}}
{% endmacro %}

{% macro oracle__contract_remainder(expression, divisor) %}
    {{- return('mod(cast(' ~ expression ~ ' as number), ' ~ contract_decimal_text(divisor) ~ ')') -}}
{% endmacro %}

{% macro clickhouse__contract_remainder(expression, divisor) %}
    {{- return('modulo(toDecimal128(toString(' ~ expression ~ "), 9), toDecimal128('" ~ contract_decimal_text(divisor) ~ "', 9))") -}}
{% endmacro %}

{% macro teradata__contract_remainder(expression, divisor) %}
    {{- return('(cast(' ~ expression ~ ' as decimal(38, 9)) mod ' ~ contract_decimal_text(divisor) ~ ')') -}}
{% endmacro %}

{# No decimals at all: the distance to the nearest multiple, when it is more than noise. #}
{% macro sqlite__contract_remainder(expression, divisor) %}
    {%- set quotient = '(' ~ expression ~ ' * 1.0 / ' ~ divisor ~ ')' -%}
    {{- return('(abs(' ~ quotient ~ ' - round(' ~ quotient ~ ')) > 1e-9)') -}}
{% endmacro %}

{# 1e-07 would make a double out of the literal. #}
{% macro contract_decimal_text(number) %}
    {%- set text = number | string -%}
    {{- return('%.9f' | format(number) if 'e' in text else text) -}}
{% endmacro %}
