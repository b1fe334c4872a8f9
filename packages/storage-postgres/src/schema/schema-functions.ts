import type { Tables } from './tables.ts'

const ofAccount = 'account = owner'
const atTarget = `${ofAccount} and scope = target`
// `;` is the character after `:`, so this range contains what begins with the scope and a colon.
const underTarget = `${ofAccount} and scope >= target || ':' and scope < target || ';'`

// Planning the queries of a function for the values of each call takes three times as long as running them. A plan for
// any values assumes a scope of average size. When most documents of an account are in one scope, such a plan would
// read the whole table, so sequential scans are turned off.
const plannedOnce = 'set plan_cache_mode = force_generic_plan set enable_seqscan = off'

/**
 * Returns the statements that create the functions which delete everything under a scope, and which list and delete the
 * documents that have certain field values.
 *
 * Each query of a deleting function sees what other transactions have committed before the query, and not only before
 * the statement that calls the function: a commit first locks its documents, and then deletes everything that other
 * commits have added until the lock.
 */
export function createFunctions(tables: Tables): string[] {
  return [
    scopesFunction(tables),
    hashesFunction(tables),
    listFunction(tables),
    discardFunction(tables),
    clearFunction(tables),
    sweepFunction(tables),
  ]
}

/**
 * Returns the statement that shortens the pending list of the index of fields, because each search reads all of it.
 * With a fourth of the length, insertions take as long as before.
 */
export function shortenPendingList({ schema }: Tables): string {
  return `do $do$
    declare
      part regclass;
    begin
      -- The options of an index of a partitioned table are those of its partitions.
      for part in
        select coalesce(inhrelid, whole)::regclass from to_regclass('${schema}.documents_by_fields') as whole
        left join pg_inherits on inhparent = whole
      loop
        execute format('alter index %s set (gin_pending_list_limit = 64)', part);
      end loop;
    end
  $do$`
}

/** Returns the scope, and the scopes under it in which a collection has documents. */
function scopesFunction({ schema, documents }: Tables): string {
  const nextScope = (range: string) => `select scope into next from ${documents}
    where ${ofAccount} and collection = name and scope > next ${range} order by scope limit 1;`
  return `create or replace function ${schema}.scopes_under(owner text, name text, target text) returns text[]
    language plpgsql stable as $$
    declare
      scopes text[] := array[target];
      next text := case target when '' then '' else target || ':' end;
    begin
      loop
        if target = '' then ${nextScope('')} else ${nextScope(`and scope < target || ';'`)} end if;
        exit when not found;
        scopes := scopes || next;
      end loop;
      return scopes;
    end
  $$`
}

/**
 * Makes the SQL function that returns the hashes of terms in each of the scopes, for the index of fields. Its result is
 * null when its input is null.
 */
function hashesFunction({ schema, queryHashes }: Tables): string {
  return `create or replace function ${schema}.hashes_in(owner text, name text, scopes text[], terms jsonb)
    returns bigint[] language plpgsql immutable strict as $$
    begin
      return array(
        select hash from unnest(scopes) as scope,
          unnest(${queryHashes}(owner, name, scope, array(select jsonb_array_elements_text(terms)))) as hash
      );
    end
  $$`
}

/** SQL fragments of a function that finds documents. Its parameter `search` is the JSON that `searchOf` returns. */
function finding({ schema, documents, documentTerms }: Tables) {
  const hashesOf = (terms: string) => `${schema}.hashes_in(owner, name, scopes, search -> '${terms}')`
  const hasTerm = (hashes: string) => `${documentTerms}(d.account, d.collection, d.scope, d.key, d.fields) && ${hashes}`
  return {
    declarations: `
      name text := search ->> 'collection';
      scopes text[] := ${schema}.scopes_under(owner, name, search ->> 'scope');
      hashes bigint[];
      others bigint[];`,
    setHashes: `hashes := ${hashesOf('terms')}; others := coalesce(${hashesOf('others')}, hashes);`,
    hasKey: `d.key = any(array(select jsonb_array_elements_text(search -> 'keys')))`,
    hasValues: `not exists (
      select from jsonb_array_elements(search -> 'tests') as test
      where not coalesce(d.fields -> (test ->> 0) @> any(array(select jsonb_array_elements(test -> 1))), false)
    )`,
    inScopes: 'd.account = owner and d.collection = name and d.scope = any(scopes)',
    // With a condition on the account too, the planner may read all documents of the collection. The index does not
    // contain two collections, so the condition excludes them; otherwise the planner could not use the index.
    found: `select d.account, d.collection, d.scope, d.key, d.version, d.fields from ${documents} d
      where ${hasTerm('hashes')} and ${hasTerm('others')} and d.collection not in ('measured-unit', 'evaluation-report')`,
  }
}

function listFunction(tables: Tables): string {
  const { declarations, setHashes, hasKey, hasValues, inScopes, found } = finding(tables)
  const page = (from: string, where: string) => `return query
    select d.key, d.scope, d.version, d.fields::text from ${from} d where ${where} and ${hasValues}
    order by d.key, d.scope limit (search ->> 'limit')::bigint;`
  return `create or replace function ${tables.list}(owner text, search jsonb)
    returns table (listed_key text, listed_scope text, listed_version int, listed_fields text)
    language plpgsql stable ${plannedOnce} as $$
    declare ${declarations}
    begin
      if search ? 'keys' then
        ${page(tables.documents, `${inScopes} and ${hasKey}`)}
      elsif search ? 'terms' then
        ${setHashes}
        ${page(`(with found as materialized (${found}) select * from found)`, inScopes)}
      else
        ${page(tables.documents, inScopes)}
      end if;
    end
  $$`
}

function discardFunction(tables: Tables): string {
  const { schema, documents } = tables
  const { declarations, setHashes, hasKey, hasValues, inScopes, found } = finding(tables)
  const remove = (where: string) => `delete from ${documents} d where ${where} and ${hasValues};
    get diagnostics part = row_count; total := total + part;`
  return `create or replace function ${schema}.discard_matching(owner text, search jsonb) returns bigint language plpgsql as $$
    declare ${declarations}
      found_document record;
      part bigint;
      total bigint := 0;
    begin
      if search ? 'keys' then
        ${remove(`${inScopes} and ${hasKey}`)}
      elsif search ? 'terms' then
        ${setHashes}
        for found_document in ${found} loop
          ${remove(`${inScopes} and d.scope = found_document.scope and d.key = found_document.key`)}
        end loop;
      else
        ${remove(inScopes)}
      end if;
      return total;
    end
  $$`
}

function clearFunction({ schema, documents, members, samples, tasks, unblockedKeys }: Tables): string {
  const remove = (table: string, where: string, and = '') =>
    `delete from ${table} where ${where} ${and}; get diagnostics part = row_count; total := total + part;`
  const removeAll = (wheres: readonly string[], ofNames: string) => `
    ${wheres.map((where) => remove(documents, where, ofNames)).join('\n')}
    ${[members, samples].flatMap((table) => wheres.map((where) => remove(table, where))).join('\n')}
    ${wheres.map((where) => `delete from ${unblockedKeys} where ${where};`).join('\n')}
    others := total;
    ${wheres.map((where) => remove(tasks, where)).join('\n')}
    -- Another process may have added tasks that wait for those which were deleted.
    if total > others then
      ${wheres.map((where) => `update ${tasks} set asleep = false where asleep and ${where};`).join('\n')}
    end if;`
  return `create or replace function ${schema}.clear_scope(owner text, target text, names text[]) returns bigint
    language plpgsql as $$
    declare
      total bigint := 0;
      others bigint;
      part bigint;
    begin
      if target = '' then ${removeAll([ofAccount], '')}
      else ${removeAll([atTarget, underTarget], 'and collection = any(names)')}
      end if;
      return total;
    end
  $$`
}

// The first parameter is not used: its expression is evaluated before the function is called.
//
// In the key of documents, scopes come after the collection. So the function first finds the names of the collections,
// with one step down the index for each. A scope is then one range of the index for each collection. Without the names,
// every deletion would read the whole account.
function sweepFunction({ schema, documents, sweep }: Tables): string {
  const firstCollection = (after: string) =>
    `(select collection from ${documents} where ${ofAccount} ${after} order by collection limit 1)`
  return `create or replace function ${sweep}(settled text, owner text, sweeps jsonb) returns text language plpgsql
    ${plannedOnce} as $$
    declare
      names text[];
      counts bigint[] := '{}';
      sweep jsonb;
    begin
      for sweep in select jsonb_array_elements(sweeps) loop
        if sweep ? 'collection' then
          counts := counts || ${schema}.discard_matching(owner, sweep);
          continue;
        end if;
        if names is null then
          with recursive known(name) as (
            ${firstCollection('')}
            union all select ${firstCollection('and collection > name')} from known where name is not null
          )
          select coalesce(array_agg(name), '{}') into names from known where name is not null;
        end if;
        counts := counts || ${schema}.clear_scope(owner, sweep ->> 'scope', names);
      end loop;
      return array_to_json(counts);
    end
  $$`
}
