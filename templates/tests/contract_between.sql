{#
  The value lies within its bounds. With `data_type` the bounds are text and cast to that type.
#}
{% test contract_between(
    model, column_name, min_value=none, max_value=none, exclusive_min=none, exclusive_max=none, data_type=none
) %}

{%- set bounds = [
    ('<', min_value),
    ('>', max_value),
    ('<=', exclusive_min),
    ('>=', exclusive_max)
] -%}
{%- set violations = [] -%}
{%- for operator, bound in bounds if bound is not none -%}
    {%- set literal = contract_typed_literal(bound, data_type) if data_type else contract_literal(bound) -%}
    {%- do violations.append(column_name ~ ' ' ~ operator ~ ' ' ~ literal | trim) -%}
{%- endfor -%}
{%- if not violations -%}
    {{- contract_error('`contract_between` needs a bound: `min_value`, `max_value`, `exclusive_min` or `exclusive_max`') -}}
{%- endif %}

select {{ contract_failing_row(column_name) }}
from {{ model }}
where {{ violations | join(' or ') }}

{% endtest %}
