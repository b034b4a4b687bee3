{#
  contract_regex: the condition "the pattern is found somewhere in the expression".
  For a warehouse that is not listed, add `<adapter>__contract_regex` to your project.
#}
{% macro contract_regex(expression, pattern) %}
    {{- return(adapter.dispatch('contract_regex')(contract_text(expression), contract_string(pattern))) -}}
{% endmacro %}

{% macro default__contract_regex(text, pattern) %}
    {{- contract_error(
        "`" ~ target.type ~ "` has no regular expressions that the contract's tests know of: "
        ~ "define the macro `" ~ target.type ~ "__contract_regex(text, pattern)`, or remove the pattern"
    ) -}}
    {{- return('1 = 1') -}}
{% endmacro %}

{% macro duckdb__contract_regex(text, pattern) %}
    {{- return('regexp_matches(' ~ text ~ ', ' ~ pattern ~ ')') -}}
{% endmacro %}

{% macro postgres__contract_regex(text, pattern) %}
    {{- return('(' ~ text ~ ' ~ ' ~ pattern ~ ')') -}}
{% endmacro %}

{# `p`: Perl's dialect, the one nearest to ECMA-262. #}
{% macro redshift__contract_regex(text, pattern) %}
    {{- return('(regexp_instr(' ~ text ~ ', ' ~ pattern ~ ", 1, 1, 0, 'p') > 0)") -}}
{% endmacro %}

{# regexp_like would have to match the whole text. #}
{% macro snowflake__contract_regex(text, pattern) %}
    {{- return('(regexp_instr(' ~ text ~ ', ' ~ pattern ~ ') > 0)') -}}
{% endmacro %}

{% macro bigquery__contract_regex(text, pattern) %}
    {{- return('regexp_contains(' ~ text ~ ', ' ~ pattern ~ ')') -}}
{% endmacro %}

{% macro spark__contract_regex(text, pattern) %}
    {{- return('(' ~ text ~ ' rlike ' ~ pattern ~ ')') -}}
{% endmacro %}

{% macro trino__contract_regex(text, pattern) %}
    {{- return('regexp_like(' ~ text ~ ', ' ~ pattern ~ ')') -}}
{% endmacro %}

{% macro athena__contract_regex(text, pattern) %}
    {{- return(trino__contract_regex(text, pattern)) -}}
{% endmacro %}

{% macro clickhouse__contract_regex(text, pattern) %}
    {{- return('match(' ~ text ~ ', ' ~ pattern ~ ')') -}}
{% endmacro %}

{# `c`: whatever the collation says, case matters. #}
{% macro mysql__contract_regex(text, pattern) %}
    {{- return('regexp_like(' ~ text ~ ', ' ~ pattern ~ ", 'c')") -}}
{% endmacro %}

{% macro mysql5__contract_regex(text, pattern) %}
    {{- return('(' ~ text ~ ' regexp binary ' ~ pattern ~ ')') -}}
{% endmacro %}

{% macro mariadb__contract_regex(text, pattern) %}
    {{- return('(' ~ text ~ " regexp concat('(?-i)', " ~ pattern ~ '))') -}}
{% endmacro %}

{% macro oracle__contract_regex(text, pattern) %}
    {{- return('regexp_like(' ~ text ~ ', ' ~ pattern ~ ", 'c')") -}}
{% endmacro %}

{% macro teradata__contract_regex(text, pattern) %}
    {{- return('(regexp_instr(' ~ text ~ ', ' ~ pattern ~ ", 1, 1, 0, 'c') > 0)") -}}
{% endmacro %}
