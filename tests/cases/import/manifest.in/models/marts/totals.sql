select 1 as total from {{ ref('stg_days') }}
