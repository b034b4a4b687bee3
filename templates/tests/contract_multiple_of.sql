{# The value divided by `divisor` is a whole number. #}
{% test contract_multiple_of(model, column_name, divisor) %}

{%- if divisor < 0.000000001 -%}
    {{- contract_error('`contract_multiple_of` needs a `divisor` of at least 0.000000001') -}}
{%- endif %}

select {{ contract_failing_row(column_name) }}
from {{ model }}
where {{ contract_remainder(column_name, divisor) }} <> 0

{% endtest %}
