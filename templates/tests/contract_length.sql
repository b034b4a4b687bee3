{# The text has at least `min_length` and at most `max_length` characters. #}
{% test contract_length(model, column_name, min_length=none, max_length=none) %}

{%- set violations = [] -%}
{%- if min_length is not none -%}
    {%- do violations.append(contract_length_of(column_name) ~ ' < ' ~ min_length) -%}
{%- endif -%}
{%- if max_length is not none -%}
    {%- do violations.append(contract_length_of(column_name) ~ ' > ' ~ max_length) -%}
{%- endif -%}
{%- if not violations -%}
    {{- contract_error('`contract_length` needs `min_length` or `max_length`') -}}
{%- endif %}

select {{ contract_failing_row(column_name) }}
from {{ model }}
where {{ violations | join(' or ') }}

{% endtest %}
