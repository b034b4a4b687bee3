{#
  contract_drift: compares a relation with the shape that its contract gives it, and says what the
  policy makes of it: {decision, reason, schema_version, present}. Both sides go through the
  warehouse, so that a type has as many names as the warehouse gives it. Where the contract states
  no type of the warehouse, what kind of values the observed type holds is compared.
#}
{% macro contract_drift(relation, shape) %}

    {%- set policies = {
        'frozen': ['not_yet', 'missing', 'unexpected', 'wider', 'retyped'],
        'approved': ['missing', 'unexpected', 'wider', 'retyped'],
        'additive': ['missing', 'wider', 'retyped'],
        'widening': ['missing', 'retyped'],
        'evolve': [],
    } -%}
    {%- if shape.policy not in policies -%}
        {{- exceptions.raise_compiler_error(
            '`' ~ shape.policy ~ '` is no policy of drift; write one of ' ~ policies | join(', ')
        ) -}}
    {%- endif -%}
    {%- set rejecting = policies[shape.policy] -%}

    {%- if not contract_relation_exists(relation, shape) -%}
        {{- return({'decision': 'cannot_judge', 'reason': 'relation_missing', 'schema_version': none, 'present': []}) -}}
    {%- endif -%}

    {%- set observed = contract_observed_columns(relation) -%}
    {%- set names = observed | map(attribute='name') | list -%}
    {%- set expected = contract_expected_types(shape) -%}
    {%- set kinds = [] -%}
    {%- set reasons = [] -%}
    {%- set present = [] -%}
    {%- set matched = [] -%}
    {%- set versions = [1] -%}

    {#- Names of the same case first, so that a column that differs in case alone is left over. -#}
    {%- for column in shape.columns -%}
        {%- set found = observed | selectattr('name', 'equalto', column.name) | list -%}
        {%- if not found -%}
            {%- for candidate in observed if candidate.name | lower == column.name | lower and candidate.name not in matched
                and not (shape.columns | selectattr('name', 'equalto', candidate.name) | list) -%}
                {%- do found.append(candidate) -%}
            {%- endfor -%}
        {%- endif -%}
        {%- if not found -%}
            {%- set kind = 'not_yet' if column.added_in else 'missing' -%}
            {%- do kinds.append(kind) -%}
            {%- if kind == 'missing' or kind in rejecting -%}
                {%- do reasons.append('missing_or_changed:' ~ column.name) -%}
            {%- endif -%}
        {%- else -%}
            {%- set found = found[0] -%}
            {%- do matched.append(found.name) -%}
            {%- if column.added_in -%}
                {%- do versions.append(column.added_in) -%}
                {%- do present.append(column.name) -%}
            {%- endif -%}
            {%- set likeness = contract_likeness(column, expected.get(column.name), found.data_type) -%}
            {%- if likeness != 'same' -%}
                {%- do kinds.append(likeness) -%}
                {%- do reasons.append('missing_or_changed:' ~ column.name) -%}
                {%- do reasons.append('unexpected_or_changed:' ~ found.name) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {%- for name in names if name not in matched -%}
        {%- do kinds.append('unexpected') -%}
        {%- do reasons.append('unexpected_or_changed:' ~ name) -%}
    {%- endfor -%}

    {%- set rejected = kinds | select('in', rejecting) | list -%}
    {%- if reasons -%}
        {%- set reason = reasons | sort(case_sensitive=true) | join(', ') -%}
    {%- else -%}
        {%- set reason = 'approved_nullable_addition' if present else 'none' -%}
    {%- endif -%}
    {{- return({
        'decision': 'rejected' if rejected else 'accepted',
        'reason': reason,
        'schema_version': versions | max,
        'present': present,
    }) -}}

{% endmacro %}

{# contract_relation_exists: whether it can be looked at; files that dbt-duckdb reads are no relations. #}
{% macro contract_relation_exists(relation, shape) %}
    {%- set found = adapter.get_relation(
        database=relation.database, schema=relation.schema, identifier=relation.identifier
    ) -%}
    {%- if found is not none -%}
        {{- return(true) -}}
    {%- endif -%}
    {%- for node in graph.sources.values() if node.source_name == shape.source and node.name == shape.table -%}
        {%- if node.external or 'external_location' in node.meta or 'external_location' in node.source_meta
            or 'external_location' in node.config.get('meta', {}) -%}
            {{- return(true) -}}
        {%- endif -%}
    {%- endfor -%}
    {{- return(false) -}}
{% endmacro %}
