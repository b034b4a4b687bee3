select current_date as day, 1 as orders from {{ ref('stg_orders') }}
