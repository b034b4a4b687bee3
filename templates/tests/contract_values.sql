{#
  Lists of contract values against a column.

  contract_is_one_of       strings as strings, numbers as numbers, booleans as booleans;
                           a list of mixed kinds is compared as text
  contract_text_is_one_of  everything as text, so that `N/A` may be asked of an integer
  Nulls in a list are left out. An empty list holds nothing.
#}
{% macro contract_is_one_of(expression, values) %}
    {%- set kinds = [] -%}
    {%- set literals = [] -%}
    {%- for value in values if value is not none -%}
        {%- set kind = 'boolean' if value is boolean else ('number' if value is number else 'string') -%}
        {%- if kind not in kinds -%}
            {%- do kinds.append(kind) -%}
        {%- endif -%}
        {%- do literals.append(contract_literal(value) | trim) -%}
    {%- endfor -%}
    {%- if kinds | length == 0 -%}
        {{- return('1 = 0') -}}
    {%- elif kinds | length == 1 -%}
        {{- return(expression ~ ' in (' ~ literals | join(', ') ~ ')') -}}
    {%- else -%}
        {{- return(contract_text_is_one_of(expression, values)) -}}
    {%- endif -%}
{% endmacro %}

{% macro contract_text_is_one_of(expression, values) %}
    {%- set literals = [] -%}
    {%- for value in values if value is not none -%}
        {%- for spelling in contract_spellings(value) -%}
            {%- do literals.append(contract_string(spelling)) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- if literals | length == 0 -%}
        {{- return('1 = 0') -}}
    {%- else -%}
        {{- return(contract_text(expression) ~ ' in (' ~ literals | join(', ') ~ ')') -}}
    {%- endif -%}
{% endmacro %}

{# What a warehouse may print for the value: -1 is also -1.0 and, as a decimal, -1.00. #}
{% macro contract_spellings(value) %}
    {%- if value is boolean -%}
        {{- return(['true' if value else 'false', contract_boolean(value)] | unique | list) -}}
    {%- endif -%}
    {%- set text = value | string -%}
    {%- if value is not number or 'e' in text -%}
        {{- return([text]) -}}
    {%- endif -%}
    {%- set parts = text.split('.') -%}
    {%- set fraction = parts[1] if parts | length == 2 and parts[1] != '0' else '' -%}
    {%- set spellings = [parts[0] ~ ('.' ~ fraction if fraction else '')] -%}
    {%- set padded = namespace(fraction=fraction) -%}
    {%- for _ in range(fraction | length, 9) -%}
        {%- set padded.fraction = padded.fraction ~ '0' -%}
        {%- do spellings.append(parts[0] ~ '.' ~ padded.fraction) -%}
    {%- endfor -%}
    {{- return(spellings) -}}
{% endmacro %}
