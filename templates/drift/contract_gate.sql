{#
  The gate: nothing that is built of a source runs while its columns are not those of its contract.
  As a test of the source it makes `dbt build` skip what depends on it; as a pre-hook of a model it
  also holds for `dbt run` and for selections without parents.
#}
{% test contract_drift(model, shape) %}

{%- if execute -%}
    {%- set found = contract_judgement(shape) -%}
    {%- if found.decision == 'accepted' %}
select 1 as drift where 1 = 0
    {%- else %}
select {{ dbt.string_literal(found.reason) }} as drift
    {%- endif -%}
{%- endif -%}

{% endtest %}

{# contract_gate: the pre-hook. It is empty where the source may be loaded, and stops where not. #}
{% macro contract_gate(shape) %}
    {%- set relation = source(shape.source, shape.table) -%}
    {%- if execute and flags.WHICH in ['run', 'build', 'retry', 'snapshot'] -%}
        {%- set found = contract_judgement(shape) -%}
        {%- if found.decision != 'accepted' -%}
            {{- exceptions.raise_compiler_error(found.line) -}}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}

{# contract_judgement: what became of a comparison, with the line that says so in the log. #}
{% macro contract_judgement(shape) %}
    {%- set found = contract_drift(source(shape.source, shape.table), shape) -%}
    {%- set line = shape.contract ~ '@' ~ shape.version ~ ' <- ' ~ shape.source ~ '.' ~ shape.table
        ~ ' [' ~ shape.policy ~ ']: ' ~ found.decision | replace('_', ' ') ~ ': ' ~ found.reason -%}
    {%- do found.update({'line': line}) -%}
    {%- do log(line, info=true) -%}
    {{- return(found) -}}
{% endmacro %}
