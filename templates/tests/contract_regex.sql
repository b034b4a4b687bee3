{#
  contract_regex: the condition "the pattern is found somewhere in the expression".
  For a warehouse that is not listed, add `<adapter>__contract_regex` to your project.
#}
{% macro contract_regex(expression, pattern) %}
    {%- set spelled = adapter.dispatch('contract_regex_spelling')(pattern) -%}
    {{- return(adapter.dispatch('contract_regex')(contract_text(expression), contract_string(spelled))) -}}
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

{#
  contract_regex_spelling: the pattern in the warehouse's dialect, where `.` would match a line break,
  or `$` would match before a last one.
#}
{% macro default__contract_regex_spelling(pattern) %}
    {{- return(pattern) -}}
{% endmacro %}

{% macro postgres__contract_regex_spelling(pattern) %}
    {{- return(contract_respelled(pattern, '[^\\n]', '$')) -}}
{% endmacro %}

{% macro redshift__contract_regex_spelling(pattern) %}
    {{- return(default__contract_regex_spelling(pattern)) -}}
{% endmacro %}

{% macro clickhouse__contract_regex_spelling(pattern) %}
    {{- return('(?-s)' ~ pattern) -}}
{% endmacro %}

{% macro spark__contract_regex_spelling(pattern) %}
    {{- return(contract_respelled(pattern, '.', '\\z')) -}}
{% endmacro %}

{% macro trino__contract_regex_spelling(pattern) %}
    {{- return(contract_respelled(pattern, '.', '\\z')) -}}
{% endmacro %}

{% macro athena__contract_regex_spelling(pattern) %}
    {{- return(contract_respelled(pattern, '.', '\\z')) -}}
{% endmacro %}

{% macro mysql__contract_regex_spelling(pattern) %}
    {{- return(contract_respelled(pattern, '.', '\\z')) -}}
{% endmacro %}

{% macro mariadb__contract_regex_spelling(pattern) %}
    {{- return(contract_respelled(pattern, '.', '\\z')) -}}
{% endmacro %}

{# The pattern with other words for its `.` and `$`, but for those in brackets and behind a backslash. #}
{% macro contract_respelled(pattern, any, end) %}
    {%- set at = namespace(escaped=false, class=false, named=false, before='') -%}
    {%- set parts = [] -%}
    {%- for character in pattern -%}
        {%- set plain = not at.escaped and not at.class -%}
        {%- do parts.append(any if plain and character == '.' else end if plain and character == '$' else character) -%}
        {%- if at.escaped -%}
            {%- set at.escaped = false -%}
        {%- elif character == '\\' -%}
            {%- set at.escaped = true -%}
        {%- elif character == '[' -%}
            {%- set at.class = true -%}
        {%- elif at.class and character == ':' and at.before == '[' -%}
            {%- set at.named = true -%}
        {%- elif at.named and character == ']' -%}
            {%- set at.named = at.before != ':' -%}
        {%- elif character == ']' -%}
            {%- set at.class = false -%}
        {%- endif -%}
        {%- set at.before = character -%}
    {%- endfor -%}
    {{- return(parts | join) -}}
{% endmacro %}
