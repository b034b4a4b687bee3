{#
  Stops the test that is being compiled. While dbt parses, nothing is raised:
  one unsupported test must not keep the whole project from loading.
#}
{% macro contract_error(message) %}
    {%- if execute -%}
        {{ exceptions.raise_compiler_error(message) }}
    {%- endif -%}
{% endmacro %}
