{#
  No two rows share the key. A row of the result is a key that more than one row has.
  As with a unique constraint, a key with a null part equals no other.
#}
{% test contract_unique_combination(model, combination_of_columns) %}

select
    {{ combination_of_columns | join(',\n    ') }},
    count(*) as n_records
from {{ model }}
where {{ contract_all_present(combination_of_columns) }}
group by {{ combination_of_columns | join(', ') }}
having count(*) > 1

{% endtest %}
