import { typedField } from './conditions.ts'
import { positionTable, termsSql } from './document-terms.ts'
import { listedSql } from './listed-documents.ts'

/**
 * Returns the migrations that lead to the newest schema; the first has the number 1. A migration that was published
 * never changes, so the list only grows.
 *
 * One table per kind of record, not per resource. The account comes first in every key, so that one account is one
 * range of every index. Text is compared by its bytes in UTF-8, which is the order of code points.
 *
 * @param indexesTerms true for a database that has an index of the terms of documents.
 */
export function migrationsOf(indexesTerms: boolean): readonly (readonly string[])[] {
  return [
    [...documentTables(), ...sampleTables(), ...taskTables(), ...otherTables()],
    [...documentsWithIds(), ...documentIndexes()],
    [...indexesOfListedDocuments(), ...(indexesTerms ? termsOfListedDocuments() : withoutTerms())],
    [...samplesIndexedTogether(), ...notificationsWithoutSequence()],
  ]
}

function documentTables(): string[] {
  return [
    `create table halyard_documents (
      account text not null, collection text not null, scope text not null, key text not null,
      version integer not null, fields text not null, body text not null,
      primary key (account, collection, scope, key)
    )`,
    // Contains everything that a list filters, sorts, counts or returns without bodies, so a list reads one range of
    // this index.
    `create index halyard_documents_listed on halyard_documents (account, collection, scope, key, fields, version)`,
    `create index halyard_documents_by_scope on halyard_documents (account, scope)`,
    `create table halyard_members (
      account text not null, scope text not null, name text not null, member text not null,
      primary key (account, scope, name, member)
    ) without rowid`,
  ]
}

/** Gives each document a number that `vacuum` does not change, because the index of terms refers to documents by it. */
function documentsWithIds(): string[] {
  const columns = 'account, collection, scope, key, version, fields, body'
  return [
    `create table halyard_documents_2 (
      id integer primary key,
      account text not null, collection text not null, scope text not null, key text not null,
      version integer not null, fields text not null, body text not null,
      unique (account, collection, scope, key)
    )`,
    `insert into halyard_documents_2 (${columns}) select ${columns} from halyard_documents`,
    `drop table halyard_documents`,
    `alter table halyard_documents_2 rename to halyard_documents`,
    `create index halyard_documents_listed on halyard_documents (account, collection, scope, key, fields, version)`,
    `create index halyard_documents_by_scope on halyard_documents (account, scope)`,
  ]
}

/**
 * Indexes of documents for the sort orders and the text searches of lists. Triggers maintain the index for searches.
 */
function documentIndexes(): string[] {
  const place = 'account, collection, scope'
  return [
    `create index halyard_documents_by_name on halyard_documents
      (${place}, lower(${typedField('name', 'text').text}), key)`,
    `create index halyard_documents_by_creation on halyard_documents
      (${place}, ${typedField('createdAt', 'number').text}, key)`,
    ...positionTable(),
    // The table stores only terms, without their positions in documents and without the documents.
    `create virtual table halyard_document_terms
      using fts5 (terms, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`,
    `insert into halyard_document_terms (rowid, terms) select d.id, ${termsSql('d')} from halyard_documents d`,
    `create trigger halyard_document_added after insert on halyard_documents begin
      insert into halyard_document_terms (rowid, terms) values (new.id, ${termsSql('new')});
    end`,
    `create trigger halyard_document_changed after update on halyard_documents when new.fields <> old.fields begin
      delete from halyard_document_terms where rowid = old.id;
      insert into halyard_document_terms (rowid, terms) values (new.id, ${termsSql('new')});
    end`,
    `create trigger halyard_document_removed after delete on halyard_documents begin
      delete from halyard_document_terms where rowid = old.id;
    end`,
  ]
}

/**
 * Removes the documents that no list returns from the indexes for sorted lists. The index for lists with conditions
 * still contains all documents: SQLite finds no plan for a statement that names a partial index and has a condition
 * with `or`.
 */
function indexesOfListedDocuments(): string[] {
  const place = 'account, collection, scope'
  const columns = {
    by_name: `${place}, lower(${typedField('name', 'text').text}), key`,
    by_creation: `${place}, ${typedField('createdAt', 'number').text}, key`,
  }
  return Object.entries(columns).flatMap(([name, list]) => [
    `drop index halyard_documents_${name}`,
    `create index halyard_documents_${name} on halyard_documents (${list}) where ${listedSql()}`,
  ])
}

function termsOfListedDocuments(): string[] {
  const insert = `insert into halyard_document_terms (rowid, terms) values (new.id, ${termsSql('new')});`
  return [
    ...withoutTriggersOfTerms(),
    `delete from halyard_document_terms where rowid in (select id from halyard_documents where not ${listedSql()})`,
    `create trigger halyard_document_added after insert on halyard_documents when ${listedSql('new.collection')} begin
      ${insert}
    end`,
    `create trigger halyard_document_changed after update on halyard_documents
      when new.fields <> old.fields and ${listedSql('new.collection')} begin
      delete from halyard_document_terms where rowid = old.id;
      ${insert}
    end`,
    `create trigger halyard_document_removed after delete on halyard_documents when ${listedSql('old.collection')} begin
      delete from halyard_document_terms where rowid = old.id;
    end`,
  ]
}

function withoutTerms(): string[] {
  return [...withoutTriggersOfTerms(), 'drop table halyard_document_terms', 'drop table halyard_positions']
}

function withoutTriggersOfTerms(): string[] {
  return ['added', 'changed', 'removed'].map((event) => `drop trigger halyard_document_${event}`)
}

// A sample stores its numbers as a JSON list, which no database rounds.
function sampleTables(): string[] {
  return [
    `create table halyard_samples (
      account text not null, scope text not null, name text not null, id text not null,
      at integer not null, label text not null, numbers text not null, body text not null, terms text,
      primary key (account, scope, name, id)
    )`,
    `create index halyard_samples_by_time on halyard_samples (account, scope, name, at, id)`,
    `create table halyard_sample_terms (
      account text not null, scope text not null, name text not null, term text not null,
      at integer not null, id text not null,
      primary key (account, scope, name, term, at, id)
    ) without rowid`,
    `create trigger halyard_sample_added after insert on halyard_samples when new.terms is not null begin
      insert or ignore into halyard_sample_terms (account, scope, name, term, at, id)
      select new.account, new.scope, new.name, value, new.at, new.id from json_each(new.terms);
    end`,
    `create trigger halyard_sample_removed after delete on halyard_samples when old.terms is not null begin
      delete from halyard_sample_terms
      where account = old.account and scope = old.scope and name = old.name
        and term in (select value from json_each(old.terms)) and at = old.at and id = old.id;
    end`,
  ]
}

/**
 * Indexes the terms of samples together. The terms of one sample are in different pages of the index, so indexing a
 * sample alone writes a page for each term. When many samples are indexed together, each written page contains several
 * of their terms.
 */
function samplesIndexedTogether(): string[] {
  const series = 'account, scope, name'
  const sameSeries = (a: string, b: string) =>
    `${a}.account = ${b}.account and ${a}.scope = ${b}.scope and ${a}.name = ${b}.name`
  return [
    `create table halyard_unindexed_samples (
      account text not null, scope text not null, name text not null, at integer not null, id text not null,
      primary key (${series}, at, id)
    ) without rowid`,
    `drop trigger halyard_sample_added`,
    `create trigger halyard_sample_added after insert on halyard_samples when new.terms is not null begin
      insert into halyard_unindexed_samples (${series}, at, id)
      values (new.account, new.scope, new.name, new.at, new.id);
    end`,
    // Measured with entries of the change log: 32, 64, 128 and 256 samples wrote 14.0, 13.2, 12.9 and 12.8 pages for
    // each change, and the change that indexes them took 4, 3, 7 and 12 ms. A query tests all unindexed samples, which
    // took 0.1, 0.2, 0.6 and 0.8 ms.
    `create trigger halyard_samples_indexed after insert on halyard_unindexed_samples
      when (select count(*) from halyard_unindexed_samples) >= 64 begin
      insert or ignore into halyard_sample_terms (${series}, term, at, id)
      select u.account, u.scope, u.name, t.value, u.at, u.id
      from halyard_unindexed_samples u
        cross join halyard_samples s on ${sameSeries('s', 'u')} and s.id = u.id
        cross join json_each(s.terms) t
      order by 1, 2, 3, 4, 5, 6;
      delete from halyard_unindexed_samples;
    end`,
    `drop trigger halyard_sample_removed`,
    `create trigger halyard_sample_removed after delete on halyard_samples when old.terms is not null begin
      delete from halyard_unindexed_samples
      where ${sameSeries('halyard_unindexed_samples', 'old')} and at = old.at and id = old.id;
      delete from halyard_sample_terms
      where ${sameSeries('halyard_sample_terms', 'old')}
        and term in (select value from json_each(old.terms)) and at = old.at and id = old.id;
    end`,
  ]
}

// The first task of each ordering key (column `lane`) is in the index by which tasks are taken; the tasks that wait
// behind it are not. The triggers maintain this, so a backlog costs `take` nothing.
function taskTables(): string[] {
  const sameKey = (row: string) =>
    `account = ${row}.account and name = ${row}.name and scope = ${row}.scope and lane = ${row}.lane`
  return [
    `create table halyard_tasks (
      account text not null, scope text not null, name text not null, id text not null, lane text not null,
      at integer not null, due integer not null, takes integer not null default 0,
      leased_until integer not null default 0, waiting integer not null default 0, body text not null,
      primary key (account, scope, name, id)
    )`,
    `create index halyard_tasks_by_time on halyard_tasks (account, scope, name, at, id)`,
    `create index halyard_tasks_by_lane on halyard_tasks (account, scope, name, lane, at, id)`,
    `create index halyard_tasks_first on halyard_tasks (account, name, scope, lane) where waiting = 0`,
    `create index halyard_tasks_ready on halyard_tasks (account, name, due, at, id, scope) where waiting = 0`,
    `create trigger halyard_task_added after insert on halyard_tasks begin
      update halyard_tasks set waiting = 1 where rowid in (
        select rowid from halyard_tasks indexed by halyard_tasks_first
        where ${sameKey('new')} and waiting = 0 and (at, id) > (new.at, new.id)
      );
      update halyard_tasks set waiting = 1 where rowid = new.rowid and exists (
        select 1 from halyard_tasks indexed by halyard_tasks_by_lane
        where ${sameKey('new')} and (at, id) < (new.at, new.id)
      );
    end`,
    `create trigger halyard_task_removed after delete on halyard_tasks when old.waiting = 0 begin
      update halyard_tasks set waiting = 0 where rowid = (
        select rowid from halyard_tasks indexed by halyard_tasks_by_lane
        where ${sameKey('old')} order by at, id limit 1
      );
    end`,
  ]
}

/**
 * Removes `autoincrement`, which writes another page for each change notification. The newest notification is never
 * deleted, so its number plus one is a new number.
 */
function notificationsWithoutSequence(): string[] {
  return [
    `create table halyard_notices_2 (n integer primary key, payload text not null)`,
    `insert into halyard_notices_2 (n, payload) select n, payload from halyard_notices`,
    `drop table halyard_notices`,
    `alter table halyard_notices_2 rename to halyard_notices`,
  ]
}

function otherTables(): string[] {
  return [
    `create table halyard_quota_leases (
      account text not null, started integer not null, key text not null,
      until integer not null, used integer not null, granted integer not null,
      primary key (account, started, key)
    ) without rowid`,
    // Change notifications for the other processes that have opened the database. Numbers are never used twice.
    `create table halyard_notices (n integer primary key autoincrement, payload text not null)`,
    // A copy of the records of an account while they are dumped.
    dumpTable('halyard_dumped'),
    // No row can be inserted. A statement that tries it fails, and the error undoes the transaction.
    `create table halyard_refusals (refused integer not null check (refused = 0))`,
  ]
}

/** Returns the statement that creates the table of records that are being dumped. */
export function dumpTable(name: string, options = ''): string {
  return `create ${options} table ${options && 'if not exists '}${name} (
    n integer primary key autoincrement, dump text not null, started integer not null, kind text not null,
    c0, c1, c2, c3, c4, c5, c6, c7
  )`
}
