{#
  A measured number keeps its promise: `<metric> <operator> <threshold> <unit>`.
  Returns one row with the measured value when the promise is broken, else none.

  metric        null_values | missing_values | invalid_values | duplicate_values | row_count
  operator      must_be | must_not_be | must_be_greater_than | must_be_greater_or_equal_to |
                must_be_less_than | must_be_less_or_equal_to | must_be_between | must_not_be_between
  threshold     a number; for between a list of two, both inclusive
  unit          rows | percent (of all rows; an empty table has 0 percent of everything)

  A null is missing and never invalid. duplicate_values counts the keys that more than one row
  has; a key with a null part is not compared.
#}
{% test contract_metric(
    model, metric, operator, threshold,
    column_name=none, columns=none, valid_values=none, missing_values=none, pattern=none, unit='rows'
) %}

{%- set key = columns or [column_name] -%}
{%- if unit not in ['rows', 'percent'] -%}
    {{- contract_error("unknown unit `" ~ unit ~ "`: expected `rows` or `percent`") -}}
{%- endif -%}
{%- if metric != 'row_count' and key[0] is none -%}
    {{- contract_error("the metric `" ~ metric ~ "` needs a column") -}}
{%- endif %}

with counted as (

    {% if metric == 'duplicate_values' -%}
    select
        every_row.total_rows,
        duplicated.counted_rows
    from (select count(*) as total_rows from {{ model }}) every_row
    cross join (
        select count(*) as counted_rows
        from (
            select 1 as is_duplicated
            from {{ model }}
            where {{ contract_all_present(key) }}
            group by {{ key | join(', ') }}
            having count(*) > 1
        ) duplicated_keys
    ) duplicated
    {%- elif metric == 'row_count' -%}
    select
        count(*) as total_rows,
        count(*) as counted_rows
    from {{ model }}
    {%- else -%}
    {%- set condition = contract_metric_condition(metric, key[0], valid_values, missing_values, pattern) -%}
    select
        count(*) as total_rows,
        coalesce(sum(case when {{ condition }} then 1 else 0 end), 0) as counted_rows
    from {{ model }}
    {%- endif %}

),

{#- 1e2, a double: decimal division keeps too few digits on some warehouses. #}
measured as (

    select
        total_rows,
        counted_rows,
        {% if unit == 'percent' -%}
        case when total_rows = 0 then 0 else 1e2 * counted_rows / total_rows end as measured_value
        {%- else -%}
        counted_rows as measured_value
        {%- endif %}
    from counted

)

select
    measured_value,
    counted_rows,
    total_rows
from measured
where not ({{ contract_metric_promise('measured_value', operator, threshold) }})

{% endtest %}


{% macro contract_metric_condition(metric, column_name, valid_values, missing_values, pattern) %}
    {%- if metric == 'null_values' -%}
        {{- return(column_name ~ ' is null') -}}
    {%- elif metric == 'missing_values' -%}
        {{- return(column_name ~ ' is null or ' ~ contract_text_is_one_of(column_name, missing_values or [])) -}}
    {%- elif metric == 'invalid_values' -%}
        {%- set violations = [] -%}
        {%- if valid_values is not none -%}
            {%- do violations.append('not (' ~ contract_is_one_of(column_name, valid_values) ~ ')') -%}
        {%- endif -%}
        {%- if pattern is not none -%}
            {%- do violations.append('not (' ~ contract_regex(column_name, pattern) ~ ')') -%}
        {%- endif -%}
        {%- if not violations -%}
            {{- contract_error('`invalid_values` needs `valid_values` or a `pattern`') -}}
        {%- endif -%}
        {{- return(column_name ~ ' is not null and (' ~ violations | join(' or ') ~ ')') -}}
    {%- else -%}
        {{- contract_error(
            "unknown metric `" ~ metric ~ "`: expected `null_values`, `missing_values`, `invalid_values`, "
            ~ "`duplicate_values` or `row_count`"
        ) -}}
    {%- endif -%}
{% endmacro %}


{% macro contract_metric_promise(measured, operator, threshold) %}
    {%- set comparisons = {
        'must_be': '=',
        'must_not_be': '<>',
        'must_be_greater_than': '>',
        'must_be_greater_or_equal_to': '>=',
        'must_be_less_than': '<',
        'must_be_less_or_equal_to': '<='
    } -%}
    {%- if operator in comparisons -%}
        {{- return(measured ~ ' ' ~ comparisons[operator] ~ ' ' ~ threshold) -}}
    {%- elif operator in ['must_be_between', 'must_not_be_between'] -%}
        {%- set range = measured ~ ' between ' ~ threshold | min ~ ' and ' ~ threshold | max -%}
        {{- return(range if operator == 'must_be_between' else 'not (' ~ range ~ ')') -}}
    {%- else -%}
        {{- contract_error(
            "unknown operator `" ~ operator ~ "`: expected `" ~ comparisons | join("`, `")
            ~ "`, `must_be_between` or `must_not_be_between`"
        ) -}}
    {%- endif -%}
{% endmacro %}
