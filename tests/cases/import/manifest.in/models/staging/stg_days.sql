select * from {{ ref('daily_orders') }} cross join {{ ref('countries') }}
