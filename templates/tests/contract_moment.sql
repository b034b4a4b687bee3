{#
  Points in time out of contract text.

  contract_typed_literal  text of a date, timestamp, time, ... -> literal of `data_type`
  contract_moment         the text as every warehouse reads it
#}
{% macro contract_typed_literal(value, data_type) %}
    {{- return(adapter.dispatch('contract_typed_literal')(value, data_type)) -}}
{% endmacro %}

{% macro default__contract_typed_literal(value, data_type) %}
    {{- return('cast(' ~ contract_string(contract_moment(value, data_type)) ~ ' as ' ~ data_type ~ ')') -}}
{% endmacro %}

{# A cast from text would depend on the formats that the session has set. #}
{% macro contract_ansi_literal(value, data_type) %}
    {%- set text = contract_moment(value, data_type) -%}
    {%- set word = data_type | lower | trim -%}
    {%- if word == 'date' and text | length <= 10 -%}
        {{- return('date ' ~ contract_string(text)) -}}
    {%- elif word.startswith('date') or word.startswith('timestamp') -%}
        {{- return('timestamp ' ~ contract_string(text ~ (' 00:00:00' if text | length <= 10 else ''))) -}}
    {%- else -%}
        {{- return(default__contract_typed_literal(value, data_type)) -}}
    {%- endif -%}
{% endmacro %}

{% macro oracle__contract_typed_literal(value, data_type) %}
    {{- return(contract_ansi_literal(value, data_type)) -}}
{% endmacro %}

{% macro teradata__contract_typed_literal(value, data_type) %}
    {{- return(contract_ansi_literal(value, data_type)) -}}
{% endmacro %}

{# A column may be a timestamp, a cast may not. #}
{% macro mysql__contract_typed_literal(value, data_type) %}
    {%- set target_type = 'datetime(6)' if (data_type | lower).startswith('timestamp') else data_type -%}
    {{- return(default__contract_typed_literal(value, target_type)) -}}
{% endmacro %}

{% macro mysql5__contract_typed_literal(value, data_type) %}
    {{- return(mysql__contract_typed_literal(value, data_type)) -}}
{% endmacro %}

{% macro mariadb__contract_typed_literal(value, data_type) %}
    {{- return(mysql__contract_typed_literal(value, data_type)) -}}
{% endmacro %}

{# A cast to DateTime refuses fractions and offsets. #}
{% macro clickhouse__contract_typed_literal(value, data_type) %}
    {%- set text = contract_string(contract_moment(value, data_type)) -%}
    {%- if (data_type | lower).startswith('datetime64') -%}
        {{- return('parseDateTime64BestEffort(' ~ text ~ ', 6)') -}}
    {%- elif (data_type | lower).startswith('datetime') -%}
        {{- return('parseDateTimeBestEffort(' ~ text ~ ')') -}}
    {%- else -%}
        {{- return('cast(' ~ text ~ ' as ' ~ data_type ~ ')') -}}
    {%- endif -%}
{% endmacro %}

{#
  ISO 8601 as every warehouse reads it: a blank for the `T`, seconds always, `+00:00` for
  the `Z`, and no `Z` at all for a type without a zone. The name of a zone stays.
#}
{% macro contract_moment(value, data_type) %}
    {%- set text = value | string -%}
    {%- if text[10:11] == 'T' -%}
        {%- set text = text[:10] ~ ' ' ~ text[11:] -%}
    {%- endif -%}
    {%- if text[-1:] == 'Z' and ':' in text and ' ' not in text[11:] -%}
        {%- set text = text[:-1] ~ ('+00:00' if contract_has_time_zone(data_type | lower) else '') -%}
    {%- endif -%}
    {%- if text | length == 5 and text[2:3] == ':' -%}
        {%- set text = text ~ ':00' -%}
    {%- endif -%}
    {{- return(text) -}}
{% endmacro %}

{% macro contract_has_time_zone(data_type) %}
    {{- return(adapter.dispatch('contract_has_time_zone')(data_type)) -}}
{% endmacro %}

{% macro default__contract_has_time_zone(data_type) %}
    {{- return(
        ('tz' in data_type and 'ntz' not in data_type)
        or 'with time zone' in data_type
        or 'with local time zone' in data_type
        or 'offset' in data_type
    ) -}}
{% endmacro %}

{% macro bigquery__contract_has_time_zone(data_type) %}
    {{- return(data_type.startswith('timestamp')) -}}
{% endmacro %}

{% macro spark__contract_has_time_zone(data_type) %}
    {{- return(data_type.startswith('timestamp') and 'ntz' not in data_type) -}}
{% endmacro %}

{% macro clickhouse__contract_has_time_zone(data_type) %}
    {{- return(data_type.startswith('datetime')) -}}
{% endmacro %}
