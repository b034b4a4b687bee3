{#
  The key exists in the other relation. A key with a null part is not checked (MATCH SIMPLE).
  The mark, not a null, tells a missing parent: some warehouses fill outer joins with defaults.
#}
{% test contract_foreign_key(model, columns, to, to_columns) %}

{%- if columns | length != to_columns | length -%}
    {{- contract_error('`contract_foreign_key` needs as many `to_columns` as `columns`') -}}
{%- endif %}

with child as (

    select
        {%- for column in columns %}
        {{ column }} as key_{{ loop.index }}{{ ',' if not loop.last }}
        {%- endfor %}
    from {{ model }}
    where {{ contract_all_present(columns) }}

),

parent as (

    select distinct
        {%- for column in to_columns %}
        {{ column }} as parent_key_{{ loop.index }},
        {%- endfor %}
        1 as is_parent
    from {{ to }}

)

select
    {%- for column in columns %}
    child.key_{{ loop.index }}{{ ',' if not loop.last }}
    {%- endfor %}
from child
left join parent
    on {% for column in columns %}child.key_{{ loop.index }} = parent.parent_key_{{ loop.index }}{{ '\n    and ' if not loop.last }}{% endfor %}
where coalesce(parent.is_parent, 0) = 0

{% endtest %}
