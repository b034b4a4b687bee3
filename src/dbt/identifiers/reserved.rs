//! Reserved words: the words that a dialect does not take as a plain column name.
//!
//! A word in lower case comes in, and whether the adapter's warehouse reserves it goes out.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::dbt::adapter::Adapter;

/// Whether the dialect reserves `word`, which is in lower case.
pub(super) fn is_reserved(adapter: Adapter, word: &str) -> bool {
    WORDS.contains(&(adapter, word))
}

/// All words, split once: every column of every model is looked up.
static WORDS: LazyLock<HashSet<(Adapter, &str)>> = LazyLock::new(|| {
    let of = |adapter: Adapter| {
        let words = [EVERYWHERE, further(adapter)].into_iter();
        let words = words.flat_map(str::split_ascii_whitespace);
        words.map(move |word| (adapter, word))
    };
    Adapter::ALL
        .iter()
        .flat_map(|(adapter, _)| of(*adapter))
        .collect()
});

/// The words that a dialect reserves beyond those that all do.
fn further(adapter: Adapter) -> &'static str {
    match adapter {
        Adapter::DuckDb => DUCKDB,
        Adapter::Postgres => POSTGRES,
        Adapter::Snowflake => SNOWFLAKE,
        Adapter::BigQuery => BIGQUERY,
        Adapter::Redshift => REDSHIFT,
        Adapter::Databricks | Adapter::Spark => SPARK,
        Adapter::Trino => TRINO,
        Adapter::Athena => ATHENA,
        Adapter::ClickHouse => CLICKHOUSE,
        Adapter::SqlServer | Adapter::Fabric => SQLSERVER,
        Adapter::MySql => MYSQL,
        Adapter::Oracle => ORACLE,
        Adapter::Sqlite => SQLITE,
    }
}

/// What every dialect reserves.
const EVERYWHERE: &str = "\
    and as create else for from group having in inner intersect into is join not null on or
    order select then union when where with";

const DUCKDB: &str = "\
    all analyse analyze anti any array asc asof asymmetric at authorization binary both by case
    cast check collate collation column columns concurrently constraint cross default deferrable
    desc describe distinct do end except false fetch foreign freeze full generated glob ilike
    initially isnull lambda lateral leading left like limit map natural notnull offset only
    outer overlaps pivot pivot_longer pivot_wider placing positional primary qualify recursive references
    returning right semi show similar some struct summarize symmetric table tablesample to
    trailing true try_cast tuple unique unpack unpivot using variadic verbose window";

const POSTGRES: &str = "\
    all analyse analyze any array asc asymmetric authorization binary both case cast check
    collate collation column concurrently constraint cross current_catalog current_date
    current_role current_schema current_time current_timestamp current_user default
    deferrable desc distinct do end except false fetch foreign freeze full grant ilike
    initially isnull lateral leading left like limit localtime localtimestamp natural
    notnull offset only outer overlaps placing primary references returning right
    session_user similar some symmetric system_user table tablesample to trailing true
    unique user using variadic verbose window";

const SNOWFLAKE: &str = "\
    all alter any asof between by case cast column connect constraint current current_date
    current_time current_timestamp current_user delete distinct drop exists false following full
    grant ilike increment insert lateral left like localtime localtimestamp match_recognize
    minus natural of qualify regexp revoke right rlike row rows sample set some start table
    tablesample to trigger true try_cast unique update using values whenever";

const BIGQUERY: &str = "\
    aggregate all any array asc assert_rows_modified at between by case cast clone collate
    contains corresponding cross cube current default define desc distinct end enum escape
    except exclude exists extend false fetch following full grouping groups hash if ignore
    include interval lateral left like limit lookup merge new no nulls of outer over partition
    pivot preceding primary proto range recursive respect right rollup rows set some struct
    tablesample to treat true unbounded unnest unpivot using window within";

const REDSHIFT: &str = "\
    aes128 aes256 all allowoverwrite analyse analyze any append array asc authorization az64
    between binary blanksasnull both bytedict case cast check collate column comprows compupdate
    constraint credentials cross current_date current_time current_timestamp current_user
    current_user_id datetime default deferrable defrag delimiters delta delta32k desc disable
    distinct do emptyasnull enable encrypt encryption end except explicit_ids false fillrecord
    foreign freeze full globaldict256 globaldict64k grant identity ignore ignoreblanklines
    ignoreheader ilike initially isnull leading left like limit localtime localtimestamp lun
    luns lzo minus mostly16 mostly32 mostly8 natural new notnull nulls off offset oid old only
    open outer overlaps parallel partition percent permissions pivot placing primary raw
    readratio recover references rejectlog resort respect restore right runlength session_user
    similar snapshot some sysdate system table tag tdes text255 text32k timestamp to top
    trailing true truncatecolumns unique unnest unpivot user using verbose within without";

const SPARK: &str = "\
    all anti any authorization both case cast check collate column constraint cross current_date
    current_time current_timestamp current_user end escape except false fetch filter foreign
    full grant lateral leading minus natural only outer overlaps primary references semi
    session_user some table to trailing unique unknown user using";

const TRINO: &str = "\
    alter between by case cast constraint cross cube current_catalog current_date current_path
    current_role current_schema current_time current_timestamp current_user deallocate delete
    describe distinct drop end escape except execute exists extract false full function grouping
    insert json_array json_exists json_object json_query json_table json_value left like listagg
    localtime localtimestamp natural normalize outer prepare recursive right rollup skip table
    trim true uescape unnest using values";

const ATHENA: &str = "\
    all alter array authorization between bigint binary boolean both by cache case cast char
    column commit conf constraint cross cube current current_catalog current_date current_path
    current_role current_schema current_time current_timestamp current_user cursor database
    deallocate decimal delete describe distinct double drop end escape except exchange execute
    exists external extract false fetch float floor following foreign full function grant
    grouping if ignore import insert int integer interval json_array json_exists json_object
    json_query json_table json_value lateral left less like listagg local localtime
    localtimestamp macro map more natural none normalize numeric of only out outer over
    partialscan partition percent preceding precision prepare preserve primary procedure range
    reads recursive reduce references regexp respect revoke right rlike rollback rollup rows set
    skip smallint sync table tablesample to transform trigger trim true truncate uescape
    unbounded uniquejoin unnest update using utc_timestamp values varchar";

const CLICKHOUSE: &str = "\
    all any array asc asof between by case cross desc distinct end except final format full
    global ignore interval left like limit natural offset outer partition prewhere respect right
    rows sample set settings table using window";

const SQLSERVER: &str = "\
    add all alter any asc authorization backup begin between break browse bulk by cascade case
    check checkpoint close clustered coalesce collate column commit compute constraint contains
    containstable continue convert cross current current_date current_time current_timestamp
    current_user cursor database dbcc deallocate declare default definition delete deny desc
    disk distinct distributed double drop dump end errlvl escape except exec execute exists exit
    external fetch file fillfactor foreign freetext freetexttable full function go goto grant
    holdlock identity identity_insert identitycol if index insert key kill left like lineno load
    merge national nocheck nonclustered nullif of off offsets open opendatasource openquery
    openrowset openxml option outer over percent pivot plan precision primary print proc
    procedure public raiserror read readtext reconfigure references replication restore restrict
    return revert revoke right rollback rowcount rowguidcol rule save schema securityaudit
    semantickeyphrasetable semanticsimilaritydetailstable semanticsimilaritytable session_user
    set setuser shutdown some statistics system_user table tablesample textsize to top tran
    transaction trigger truncate try_convert tsequal unique unpivot update updatetext use user
    values varying view waitfor while writetext";

const MYSQL: &str = "\
    accessible add all alter analyze asc asensitive before between bigint binary blob both by
    call cascade case change char character check collate column condition constraint continue
    convert cross cume_dist current_date current_time current_timestamp current_user cursor
    database databases day_hour day_microsecond day_minute day_second dec decimal declare
    default delayed delete dense_rank desc describe deterministic distinct distinctrow div
    double drop dual each elseif empty enclosed escaped except exists exit explain false fetch
    first_value float float4 float8 force foreign fulltext generated get grant grouping groups
    high_priority hour_microsecond hour_minute hour_second if ignore index infile inout
    insensitive insert int int1 int2 int3 int4 int8 integer interval io_after_gtids
    io_before_gtids iterate json_table key keys kill lag last_value lateral lead leading leave
    left like limit linear lines load localtime localtimestamp lock long longblob longtext loop
    low_priority master_bind master_ssl_verify_server_cert match maxvalue mediumblob mediumint
    mediumtext middleint minute_microsecond minute_second mod modifies natural
    no_write_to_binlog nth_value ntile numeric of optimize optimizer_costs option optionally out
    outer outfile over partition percent_rank precision primary procedure purge range rank read
    read_write reads real recursive references regexp release rename repeat replace require
    resignal restrict return revoke right rlike row_number schema schemas second_microsecond
    sensitive separator set show signal smallint spatial specific sql sql_big_result
    sql_calc_found_rows sql_small_result sqlexception sqlstate sqlwarning ssl starting stored
    straight_join system table terminated tinyblob tinyint tinytext to trailing trigger true
    undo unique unlock unsigned update usage use using utc_date utc_time utc_timestamp values
    varbinary varchar varcharacter varying virtual while window write xor year_month zerofill";

const ORACLE: &str = "\
    access add all alter any asc audit between by char check cluster column column_value comment
    compress connect current date decimal default delete desc distinct drop exclusive exists
    file float grant identified immediate increment index initial insert integer level like lock
    long maxextents minus mlslabel mode modify nested_table_id noaudit nocompress nowait number
    of offline online option pctfree prior public raw rename resource revoke row rowid rownum
    rows session set share size smallint start successful synonym sysdate table to trigger uid
    unique update user validate values varchar varchar2 view whenever";

const SQLITE: &str = "\
    abort add after all alter always analyze asc attach autoincrement before begin between by
    cascade case cast check collate column commit conflict constraint cross current current_date
    current_time current_timestamp database default deferrable deferred delete desc detach
    distinct do drop each end escape except exclude exclusive exists explain fail filter first
    following foreign full generated glob groups if ignore immediate index indexed initially
    insert instead isnull left like limit materialized natural no nothing notnull nulls of
    offset others outer over partition plan pragma preceding primary query raise range recursive
    references regexp reindex release rename replace restrict returning right rollback row rows
    savepoint set table temp temporary to transaction trigger unbounded unique update using
    vacuum values view window without";
