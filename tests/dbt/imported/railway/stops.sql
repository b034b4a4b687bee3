select 1 as train from {{ ref('trains') }} join {{ source('port_office', 'ships') }} using (train)
