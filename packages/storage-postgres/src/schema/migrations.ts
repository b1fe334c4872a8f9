import { preconditionFailed } from '../connections/sqlstate.ts'
import { createFunctions, shortenPendingList } from './schema-functions.ts'
import type { Tables } from './tables.ts'

/** A migration of the schema: statements that run in one transaction with all other migrations that are due. */
export type Migration = (tables: Tables) => readonly string[]

/**
 * The migrations that lead to the newest schema; the first has the number 1. A migration that was published never
 * changes, so the list only grows.
 */
export const migrations: readonly Migration[] = [
  createKinds,
  createTasks,
  findSamplesByTerms,
  createQuotaLeases,
  indexTermsInverted,
  indexFields,
  leaveOutCounted,
  shortenFieldTerms,
  addSearches,
]

// One table per kind, not per resource. The account comes first in every key, so that one account is one range of every
// index and the tables can be distributed by account. Everything that is compared or sorted has the collation "C": by
// code point, whatever the language of the database.
function createKinds({ documents, members, samples, settle }: Tables): string[] {
  return [
    // `body` is text: it is returned byte for byte, and no query reads into it. `fields` is the narrow row that lists
    // are filtered by.
    `create table ${documents} (
      account text collate "C" not null,
      collection text collate "C" not null,
      scope text collate "C" not null,
      key text collate "C" not null,
      version int not null,
      body text not null,
      fields jsonb not null,
      primary key (account, collection, scope, key)
    )`,
    `create table ${members} (
      account text collate "C" not null,
      scope text collate "C" not null,
      name text collate "C" not null,
      member text collate "C" not null,
      primary key (account, scope, name, member)
    )`,
    // `width` is the number of values in v0 to v7 that the sample has, because a null at the end is a value too.
    `create table ${samples} (
      account text collate "C" not null,
      scope text collate "C" not null,
      name text collate "C" not null,
      id text collate "C" not null,
      at bigint not null,
      label text collate "C" not null,
      width int not null,
      v0 double precision, v1 double precision, v2 double precision, v3 double precision,
      v4 double precision, v5 double precision, v6 double precision, v7 double precision,
      body text not null,
      primary key (account, scope, name, id)
    )`,
    `create index samples_by_time on ${samples} (account, scope, name, at, id)`,
    // Only an error undoes the other parts of a statement. This function raises an error when not every row was found.
    `create function ${settle}(actual bigint, expected bigint) returns void language plpgsql as $$
      begin
        if actual <> expected then
          raise exception 'a precondition does not hold' using errcode = '${preconditionFailed}';
        end if;
      end
    $$`,
  ]
}

// A task that waits behind another task of its ordering key (column `lane`) becomes `asleep` when a `take` reads it.
// The index for `take` does not contain such tasks, so a backlog is read once and not by every `take`. See
// docs/decisions/0011-keep-waiting-tasks-out-of-the-ready-queue-index.md.
function createTasks({ tasks, unblockedKeys: openings }: Tables): string[] {
  return [
    // The id comes before the scope, so that the query for the neighbors of a task in its ordering key has a single
    // index to use, even before the planner knows how many tasks an ordering key has.
    `create table ${tasks} (
      account text collate "C" not null,
      scope text collate "C" not null,
      name text collate "C" not null,
      id text collate "C" not null,
      lane text collate "C" not null,
      at bigint not null,
      due bigint not null,
      takes int not null default 0,
      leased_until bigint not null default 0,
      asleep boolean not null default false,
      body text not null,
      primary key (account, id, scope, name)
    )`,
    `create index tasks_by_time on ${tasks} (account, scope, name, at, id)`,
    `create index tasks_by_lane on ${tasks} (account, scope, name, lane, at, id)`,
    `create index tasks_awake on ${tasks} (account, name, due, at, id, scope) where not asleep`,
    // Each row is inserted once and no two rows conflict, so an insertion never waits for another transaction and is
    // never skipped.
    `create table ${openings} (
      account text collate "C" not null,
      name text collate "C" not null,
      scope text collate "C" not null,
      lane text collate "C" not null,
      mark uuid not null default gen_random_uuid(),
      primary key (account, name, scope, lane, mark)
    )`,
  ]
}

// Adding a nullable column costs nothing, however many samples exist. Those samples then have no terms.
function findSamplesByTerms({ schema, samples }: Tables): string[] {
  return [
    `alter table ${samples} add column terms text[] collate "C"`,
    `create table ${schema}.sample_terms (
      account text collate "C" not null,
      term bigint not null,
      at bigint not null,
      id text collate "C" not null,
      primary key (account, term, at, id)
    )`,
  ]
}

// The leased amounts of quotas that all processes share, by window. The start of the window comes before the key, so
// that ended windows are one range of the index.
function createQuotaLeases({ quotaLeases }: Tables): string[] {
  return [
    `create table ${quotaLeases} (
      account text collate "C" not null,
      started bigint not null,
      key text collate "C" not null,
      until bigint not null,
      used bigint not null,
      granted bigint not null,
      primary key (account, started, key)
    )`,
  ]
}

// A hash contains the account and the series, so that the entries of one account do not slow down the queries of
// another account. The function is an expression of the index, so that samples of older versions need not be rewritten.
// The pending list of the index is short, because every query reads it.
function indexTermsInverted({ schema, samples, termHashes }: Tables): string[] {
  return [
    `create function ${termHashes}(account text, scope text, name text, terms text[]) returns bigint[]
      language plpgsql immutable strict parallel safe as $$
      declare
        series bigint := hashtextextended(account || '/' || scope || '/' || name, 0);
      begin
        return array(select hashtextextended(term, series) from unnest(terms) as t(term));
      end
    $$`,
    `create index samples_by_terms on ${samples} using gin (${termHashes}(account, scope, name, terms))
      with (gin_pending_list_limit = 256) where terms is not null`,
    `drop table ${schema}.sample_terms`,
  ]
}

// Lists are sorted by name and by time of creation, and filtered by text. The indexes depend only on identity and
// narrow row, so a change that leaves the narrow row unchanged writes to none of them. An entry of a B-tree has a
// maximum size, so the index contains the beginning of the name. A list of more than 100 elements has one term for all
// elements, because otherwise a change of one element would write all terms again.
function indexFields({ schema, documents, queryHashes, trigrams }: Tables): string[] {
  const fieldHashes = `${schema}.field_hashes`
  const index = `on ${documents} (account, collection, scope,`
  const typed = (field: string, type: string) =>
    `case jsonb_typeof(fields -> '${field}') when '${type}' then fields ->> '${field}' end collate "C"`
  return [
    `create function ${queryHashes}(account text, collection text, scope text, terms text[]) returns bigint[]
      language plpgsql immutable strict parallel safe as $$
      declare
        list bigint := hashtextextended(account || '/' || collection || '/' || scope, 0);
      begin
        return array(select distinct hashtextextended(term, list) from unnest(terms) as t(term));
      end
    $$`,
    `create function ${trigrams}(field text, content text) returns text[]
      language plpgsql immutable strict parallel safe as $$
      declare
        folded text := lower(content collate "C");
      begin
        return array(select field || '~' || substr(folded, i, 3) from generate_series(1, length(folded) - 2) as i);
      end
    $$`,
    `create function ${fieldHashes}(account text, collection text, scope text, key text, fields jsonb) returns bigint[]
      language plpgsql immutable strict parallel safe as $$
      declare
        terms text[] := ${trigrams}('key', key);
      begin
        if jsonb_typeof(fields -> 'name') = 'string' then
          terms := terms || ${trigrams}('name', fields ->> 'name');
        end if;
        terms := terms || array(
          select f.key || '=' || (f.value #>> '{}') from jsonb_each(fields) as f where jsonb_typeof(f.value) = 'string'
          union all
          select f.key || '=' || e.element from jsonb_each(fields) as f, jsonb_array_elements_text(
            case when jsonb_typeof(f.value) <> 'array' then '[]' when jsonb_array_length(f.value) <= 100 then f.value else '[""]' end
          ) as e(element)
        );
        return ${queryHashes}(account, collection, scope, terms);
      end
    $$`,
    `create index documents_by_name ${index} left(lower(${typed('name', 'string')}), 100) nulls first)`,
    `create index documents_by_creation ${index} ((${typed('createdAt', 'number')})::float8) nulls first)`,
    `create index documents_by_fields on ${documents} using gin (${fieldHashes}(account, collection, scope, key, fields))
      with (gin_pending_list_limit = 256)`,
  ]
}

// Ingestion writes thousands of these documents, and no list contains them: their entries in the indexes of lists would
// cost several times as much as the documents. A list names its collection, so the planner knows when an index has all
// of its documents. A list of an excluded collection would still work, but without these indexes.
//
// Removing an index blocks readers until the end of the transaction, so all are removed after all new ones were built.
// An index that was built before, without blocking writers, is used when it is complete
// (docs/decisions/0104-build-indexes-before-their-migration.md).
function leaveOutCounted({ schema }: Tables): string[] {
  const indexes = ['documents_by_name', 'documents_by_creation', 'documents_by_fields']
  return [
    ...indexes.map(
      (index) => `do $do$
        declare
          -- The definition for a partitioned table would leave out its partitions.
          definition text := replace(pg_get_indexdef('${schema}.${index}'::regclass), ' ON ONLY ', ' ON ');
          built regclass := to_regclass('${schema}.${index}_next');
        begin
          if exists (select from pg_index where indexrelid = built and indisvalid) then return; end if;
          drop index if exists ${schema}.${index}_next;
          execute replace(definition, 'INDEX ${index} ON', 'INDEX ${index}_next ON')
            || $$ where collection not in ('measured-unit', 'evaluation-report')$$;
        end
      $do$`,
    ),
    ...indexes.map((index) => `drop index ${schema}.${index}`),
    ...indexes.map((index) => `alter index ${schema}.${index}_next rename to ${index}`),
  ]
}

// Most of the cost of a new document was to compute its terms: several queries inside the function, and 34 parts of a
// key that is a UUID. This function has one query, and its loops take half the time of `generate_series`. A key that an
// engine generated is one term, which every search for a part of a key returns.
function shortenFieldTerms({ schema, documentTerms }: Tables): string[] {
  const index = 'documents_by_fields'
  return [
    `create function ${documentTerms}(account text, collection text, scope text, key text, fields jsonb) returns bigint[]
      language plpgsql immutable strict parallel safe as $$
      declare
        list bigint := hashtextextended(account || '/' || collection || '/' || scope, 0);
        terms bigint[] := array(
          select hashtextextended(f.key || '=' || e.element, list) from jsonb_each(fields) as f, jsonb_array_elements_text(
            case jsonb_typeof(f.value)
              when 'string' then jsonb_build_array(f.value)
              when 'array' then case when jsonb_array_length(f.value) <= 100 then f.value else '[""]' end
              else '[]'
            end
          ) as e(element)
        );
        searched text := lower(key collate "C");
      begin
        if length(key) in (24, 36) and key ~ '^[0-9a-f-]+$' then
          terms := terms || hashtextextended('key~', list);
        else
          for i in 1..length(searched) - 2 loop
            terms := terms || hashtextextended('key~' || substr(searched, i, 3), list);
          end loop;
        end if;
        if jsonb_typeof(fields -> 'name') = 'string' then
          searched := lower((fields ->> 'name') collate "C");
          for i in 1..length(searched) - 2 loop
            terms := terms || hashtextextended('name~' || substr(searched, i, 3), list);
          end loop;
        end if;
        return terms;
      end
    $$`,
    `do $do$
      declare
        definition text := replace(pg_get_indexdef('${schema}.${index}'::regclass), ' ON ONLY ', ' ON ');
      begin
        definition := replace(definition, 'INDEX ${index} ON', 'INDEX ${index}_next ON');
        execute regexp_replace(definition, '[^ (]*field_hashes\\(', '${documentTerms}(');
      end
    $do$`,
    `drop index ${schema}.${index}`,
    `alter index ${schema}.${index}_next rename to ${index}`,
    `drop function ${schema}.field_hashes`,
  ]
}

function addSearches(tables: Tables): string[] {
  return [...createFunctions(tables), shortenPendingList(tables)]
}
