{# The array has at least `min_items` and at most `max_items` items. #}
{% test contract_array_length(model, column_name, min_items=none, max_items=none) %}

{%- set violations = [] -%}
{%- if min_items is not none -%}
    {%- do violations.append(contract_array_size(column_name) ~ ' < ' ~ min_items) -%}
{%- endif -%}
{%- if max_items is not none -%}
    {%- do violations.append(contract_array_size(column_name) ~ ' > ' ~ max_items) -%}
{%- endif -%}
{%- if not violations -%}
    {{- contract_error('`contract_array_length` needs `min_items` or `max_items`') -}}
{%- endif %}

select {{ contract_failing_row(column_name) }}
from {{ model }}
where {{ column_name }} is not null
    and ({{ violations | join(' or ') }})

{% endtest %}
