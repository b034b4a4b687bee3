{#
  contract_observed_columns: the columns of a relation with the warehouse's types, as a list of
  {name, data_type}.
#}
{% macro contract_observed_columns(relation) %}
    {{- return(adapter.dispatch('contract_observed_columns')(relation)) -}}
{% endmacro %}

{% macro default__contract_observed_columns(relation) %}
    {{- return(contract_query_columns('select * from ' ~ relation)) -}}
{% endmacro %}

{# PostgreSQL's driver gives types of several widths one name. -#}
{% macro postgres__contract_observed_columns(relation) %}
    {%- set found = run_query(
        'select attname, format_type(atttypid, atttypmod) from pg_catalog.pg_attribute where attrelid = '
        ~ dbt.string_literal(relation.include(database=false) | string | replace("'", "''"))
        ~ '::regclass and attnum > 0 and not attisdropped order by attnum'
    ) -%}
    {%- set columns = [] -%}
    {%- for row in found.rows -%}
        {%- do columns.append({'name': row[0], 'data_type': row[1]}) -%}
    {%- endfor -%}
    {{- return(columns) -}}
{% endmacro %}

{% macro redshift__contract_observed_columns(relation) %}
    {{- return(default__contract_observed_columns(relation)) -}}
{% endmacro %}

{# A query of BigQuery comes with the fields of structs in place of the structs. -#}
{% macro bigquery__contract_observed_columns(relation) %}
    {%- set columns = [] -%}
    {%- for column in adapter.get_columns_in_relation(relation) -%}
        {%- do columns.append({'name': column.name, 'data_type': column.data_type}) -%}
    {%- endfor -%}
    {{- return(columns) -}}
{% endmacro %}

{# contract_query_columns: the columns of a query as a list of {name, data_type}. #}
{% macro contract_query_columns(query) %}
    {{- return(adapter.dispatch('contract_query_columns')(query)) -}}
{% endmacro %}

{# dbt-duckdb puts the fields of structs in place of the structs. -#}
{% macro duckdb__contract_query_columns(query) %}
    {%- set columns = [] -%}
    {%- for row in run_query('describe ' ~ query).rows -%}
        {%- do columns.append({'name': row[0], 'data_type': row[1]}) -%}
    {%- endfor -%}
    {{- return(columns) -}}
{% endmacro %}

{% macro default__contract_query_columns(query) %}
    {%- set columns = [] -%}
    {%- for column in get_column_schema_from_query(query) -%}
        {%- do columns.append({'name': column.name, 'data_type': column.data_type}) -%}
    {%- endfor -%}
    {{- return(columns) -}}
{% endmacro %}

{# contract_type_names: what the warehouse calls types, in their order. #}
{% macro contract_type_names(types) %}
    {{- return(adapter.dispatch('contract_type_names')(types)) -}}
{% endmacro %}

{% macro default__contract_type_names(types) %}
    {%- set probes = {} -%}
    {%- for type in types -%}
        {%- do probes.update({'c' ~ loop.index: {'name': 'c' ~ loop.index, 'data_type': type}}) -%}
    {%- endfor -%}
    {%- set by_probe = {} -%}
    {%- for column in contract_query_columns(get_empty_schema_sql(probes)) -%}
        {%- do by_probe.update({column.name | lower: column.data_type}) -%}
    {%- endfor -%}
    {%- set names = [] -%}
    {%- for type in types -%}
        {%- do names.append(by_probe['c' ~ loop.index]) -%}
    {%- endfor -%}
    {{- return(names) -}}
{% endmacro %}

{% macro postgres__contract_type_names(types) %}
    {%- set probes = [] -%}
    {%- for type in types -%}
        {%- do probes.append('pg_typeof(cast(null as ' ~ type ~ '))::text') -%}
    {%- endfor -%}
    {%- set names = [] -%}
    {%- for name in run_query('select ' ~ probes | join(', ')).rows[0] -%}
        {#- A value does not know the parameters of its type. -#}
        {%- do names.append(name ~ contract_parameters(types[loop.index0])) -%}
    {%- endfor -%}
    {{- return(names) -}}
{% endmacro %}

{% macro bigquery__contract_type_names(types) %}
    {%- set plain = [] -%}
    {%- for type in types if '<' not in type -%}
        {%- do plain.append(type) -%}
    {%- endfor -%}
    {%- set known = dict(zip(plain, default__contract_type_names(plain))) if plain else {} -%}
    {%- set names = [] -%}
    {%- for type in types -%}
        {%- do names.append(known.get(type, type)) -%}
    {%- endfor -%}
    {{- return(names) -}}
{% endmacro %}

{% macro redshift__contract_type_names(types) %}
    {{- return(default__contract_type_names(types)) -}}
{% endmacro %}

{# contract_expected_types: what the warehouse calls the types of a shape, and those that hold more. #}
{% macro contract_expected_types(shape) %}
    {%- set types = [] -%}
    {%- for column in shape.columns if column.type -%}
        {%- for type in [column.type] + column.get('wider', []) if type not in types -%}
            {%- do types.append(type) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set expected = {} -%}
    {%- if types -%}
        {%- set names = dict(zip(types, contract_type_names(types))) -%}
        {%- for column in shape.columns if column.type -%}
            {%- set wider = [] -%}
            {%- for type in column.get('wider', []) -%}
                {%- do wider.append(names[type]) -%}
            {%- endfor -%}
            {%- do expected.update({column.name: {'exact': names[column.type], 'wider': wider}}) -%}
        {%- endfor -%}
    {%- endif -%}
    {{- return(expected) -}}
{% endmacro %}

{# contract_likeness: whether an observed type is `same`, `wider` or `retyped`. #}
{% macro contract_likeness(column, expected, observed) %}
    {%- if expected -%}
        {#- Digits or a length that the contract leaves open may be any. -#}
        {%- set exact = expected.exact if contract_parameters(column.type) else contract_bare_type(expected.exact) -%}
        {%- if contract_is_same_type(exact, observed) -%}
            {{- return('same') -}}
        {%- endif -%}
        {%- for wider in expected.wider if contract_is_same_type(wider, observed) -%}
            {{- return('wider') -}}
        {%- endfor -%}
        {{- return('wider' if contract_holds_more(column, observed) else 'retyped') -}}
    {%- endif -%}
    {{- return('same' if contract_is_of(observed, column.get('kind')) else 'retyped') -}}
{% endmacro %}

{# contract_is_same_type: whether two types differ at most in what one of both leaves open. #}
{% macro contract_is_same_type(expected, observed) %}
    {%- set parameters = [contract_parameters(expected), contract_parameters(observed)] -%}
    {{- return(
        contract_bare_type(expected) == contract_bare_type(observed)
        and ('' in parameters or parameters[0] == parameters[1])
    ) -}}
{% endmacro %}

{# contract_parameters: the digits or the length of a type, with brackets. #}
{% macro contract_parameters(type) %}
    {%- set found = modules.re.findall('[(] *[0-9]+ *(?:, *[0-9]+ *)?[)]', type) -%}
    {{- return(found | join | replace(' ', '')) -}}
{% endmacro %}

{# contract_bare_type: a type without them. #}
{% macro contract_bare_type(type) %}
    {{- return(modules.re.sub('[(] *[0-9]+ *(?:, *[0-9]+ *)?[)]', '', type) | lower | replace(' ', '') | replace('`', '')) -}}
{% endmacro %}

{#
  contract_holds_more: whether a decimal has at least the digits before and after the point that a
  column needs, or a text the length.
#}
{% macro contract_holds_more(column, observed) %}
    {%- set decimal = modules.re.match(
        '(?i)(?:decimal|numeric|number|bignumeric) *[(] *([0-9]+) *(?:, *([0-9]+) *)?[)]$', observed
    ) -%}
    {%- if column.get('digits') and decimal -%}
        {%- set scale = (decimal.group(2) or 0) | int -%}
        {%- set whole = decimal.group(1) | int - scale -%}
        {{- return(whole >= column.digits[0] and scale >= column.digits[1]) -}}
    {%- endif -%}
    {%- set text = modules.re.match('(?i)n?(?:var)?char(?:acter)?(?: varying)? *[(] *([0-9]+) *[)]$', observed) -%}
    {{- return('length' in column and text is not none and text.group(1) | int >= column['length']) -}}
{% endmacro %}

{#
  contract_is_of: whether a type holds values of a logical type of contracts. What no row knows is
  let through, since a driver may have words of its own.
#}
{% macro contract_is_of(type, kind) %}
    {%- set integer = 'u?(tiny|small|medium|big|huge|uhuge)?int(eger)?[0-9]*|byteint|(small|big)?serial|long|short|longinteger' -%}
    {%- set decimal = 'dec(imal)?|numeric|number|bignumeric|bigdecimal|fixed' -%}
    {%- set binary = 'blob|bytea|bytes|binary|varbinary|varbyte|binaryvarying' -%}
    {%- set document = 'json|jsonb|variant|super|object|array|hstore' -%}
    {%- set kinds = {
        'string': 'n?(var)?char2?|n?text|string|character|charactervarying|bpchar|citext|name|uuid|enum.*|' ~ binary,
        'integer': integer,
        'number': integer ~ '|' ~ decimal ~ '|float[0-9]*|double|doubleprecision|real',
        'boolean': 'bool|boolean',
        'date': 'date',
        'time': 'time(tz|_ns)?|time(with|without)timezone',
        'timestamp': 'timestamp.*|datetime',
        'array': 'array.*|list.*|.*[]]|' ~ document ~ '|' ~ binary,
        'object': 'struct.*|row[(<].*|tuple.*|map[(<].*|object[(].*|' ~ document,
        'map': 'map.*|object[(].*|' ~ document,
        'vector': 'vector|.*[]]|array.*',
        'other': 'interval.*|bit|bitvarying|varbit|bignum|union.*|geometry|geography|point|money|inet|cidr|macaddr|oid|tsvector|xml|hllsketch|void',
    } -%}
    {%- if kind not in kinds -%}
        {{- return(true) -}}
    {%- endif -%}
    {%- set parameters = contract_parameters(type) -%}
    {%- set bare = contract_bare_type(type) -%}
    {%- if modules.re.fullmatch(kinds[kind], bare) -%}
        {{- return(true) -}}
    {%- endif -%}
    {#- A decimal without digits after the point, or one that leaves them open; BigQuery's never does. -#}
    {%- if kind == 'integer' and modules.re.fullmatch(decimal, bare) -%}
        {%- set open = '' if target.type == 'bigquery' else '(0)' -%}
        {{- return(modules.re.search('^[(][0-9]+(,0)?[)]$', parameters or open) is not none) -}}
    {%- endif -%}
    {%- for pattern in kinds.values() if modules.re.fullmatch(pattern, bare) -%}
        {{- return(false) -}}
    {%- endfor -%}
    {{- return(true) -}}
{% endmacro %}
