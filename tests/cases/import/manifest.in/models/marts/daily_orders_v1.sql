select current_date as day from {{ ref('stg_orders') }}
