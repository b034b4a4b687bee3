select id, 'placed' as status, customer_id from {{ source('erp', 'orders') }}
