select account, 1 as line from {{ ref('accounts') }}
