select count(*) as n from {{ ref('totals') }}
