{# No two items of the array are equal. #}
{% test contract_unique_items(model, column_name) %}

select {{ contract_failing_row(column_name) }}
from {{ model }}
where {{ column_name }} is not null
    and {{ contract_array_has_duplicates(column_name) }}

{% endtest %}
