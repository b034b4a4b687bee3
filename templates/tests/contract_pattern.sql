{#
  The pattern is found somewhere in the text: only `^` and `$` tie it to the ends.
  The regular expression's dialect is the warehouse's own.
#}
{% test contract_pattern(model, column_name, pattern) %}

select {{ contract_failing_row(column_name) }}
from {{ model }}
where {{ column_name }} is not null
    and not ({{ contract_regex(column_name, pattern) }})

{% endtest %}
