import type { TextKind } from '../readable-source.ts'

/** A word that this repository does not use, because the field has a better known one. */
export interface RetiredWord {
  /**
   * Prose is matched unchanged. Names are divided into lower-case words before they are matched: `maxFlags` becomes
   * `max flags`.
   */
  readonly pattern: RegExp
  /** The words to use instead. */
  readonly use: string
  /** Default: everywhere. */
  readonly in?: readonly TextKind[]
  /** Only names that declare this. Default: every name. */
  readonly declares?: 'variable' | 'type'
}

const prose: readonly TextKind[] = ['comment', 'message', 'title', 'markdown']

/** See `docs/glossary.md`, which explains the words to use. */
export const retiredWords: readonly RetiredWord[] = [
  { pattern: /\b(told|tells?|telling|untold|retell)\b/i, use: 'notify, emit, report, distinguish or state' },
  { pattern: /\bhears?\b|\bheard\b/i, use: 'receive, or onChange' },
  { pattern: /\basked\b|\basking\b|\bquestions?\b/i, use: 'request, query, input or options', in: ['name'] },
  { pattern: /\bremember(s|ed|ing)?\b|\brecall(s|ed|ing)?\b/i, use: 'cache, cached or getCached' },
  { pattern: /\bforg(et|ets|ot|otten|etting)\b/i, use: 'clear, delete or omit' },
  { pattern: /\btrails?\b/i, use: 'cache dependencies' },
  { pattern: /\bspoil(s|t|ed|ing)?\b/i, use: 'invalidate, or stale' },
  { pattern: /\bfresh eyes\b|\bsights?\b/i, use: 'read snapshot, or uncached read' },
  { pattern: /\bfaults?\b/i, use: 'validation error, or defect' },
  { pattern: /\bmost (?!(?:[a-z]+ )*(?:of|often|likely|recent|specific|common|once)\b)/i, use: 'max', in: ['name'] },
  { pattern: /^Most [\w ]+ (that|which)\b/, use: 'Maximum number of', in: ['comment'] },
  {
    pattern: /^(What|Whether|Whom|Whose|Who|How)\b(?!.*\?$)/,
    use: 'a start that says what the thing is or does',
    in: ['comment'],
  },
  { pattern: /\bmend(s|ed|ing)?\b|\bdealt\b|\bgone round\b|\bgo(es|ing)? round\b/i, use: 'fix, recompute or bypass' },
  { pattern: /\brehears(e|es|ed|al|als|ing)\b/i, use: 'dry run' },
  { pattern: /\bwithdr(aw|aws|ew|awn|awing)\b/i, use: 'delete' },
  { pattern: /\bfed\b|\bfeeding\b|(?<!line )\bfeeds?\b/i, use: 'ingest or send', in: ['name', 'comment', 'title'] },
  { pattern: /\bportions?\b/i, use: 'quota lease', in: ['name'] },
  { pattern: /\blanes?\b/i, use: 'ordering key' },
  { pattern: /\bagendas?\b/i, use: 'ready queue' },
  { pattern: /\bshel(f|ves)\b|\bopenings\b/i, use: 'bucket, or the thing that is stored' },
  { pattern: /\bsurpris(e|es|ed|ing)\b/i, use: 'unhandled error, or unexpected' },
  { pattern: /\bstrangers?\b/i, use: 'unknown property, or unrelated' },
  { pattern: /\bblam(e|es|ed|ing)\b/i, use: 'error index, or name' },
  { pattern: /\bwish(es|ed)?\b/i, use: 'missing qualifier, or requirement' },
  { pattern: /\bcards?\b/i, use: 'operation (definition)' },
  { pattern: /\bdoors?\b|\bcorridors?\b|\bclothes\b/i, use: 'stage, request pipeline, or the thing itself' },
  { pattern: /\bpresenters?\b/i, use: 'serializer', in: ['name', 'comment', 'markdown'] },
  { pattern: /\ban own (?!property\b|`?__proto__)/i, use: 'a … of its own', in: prose },
  { pattern: /^\w+s such (?!an? |as )/, use: 'the noun that "such" stands for', in: ['comment'] },
  {
    pattern: /\bwires?\b/i,
    use: 'response schema, request schema, or format',
    in: ['name', 'comment', 'title', 'message'],
  },
  { pattern: /\b(whoever|nobody|somebody|whomever)\b/i, use: 'the caller, no process, another client' },
  { pattern: /\b(anew|meanwhile|thereby|thereof)\b|\bbesides\b/i, use: 'again, concurrently, also' },
  { pattern: /\bstands? (on|for itself|with|beside|behind|in the)\b/i, use: 'depends on, or is stored in', in: prose },
  { pattern: /\b(this|the) house\b|\bhouse\b/i, use: 'integration, or repository', in: ['name', 'comment', 'title'] },
  { pattern: /\b(rungs?|ladders?|rooms?)\b/i, use: 'level, folder or capacity' },
  { pattern: /^(Of|By) [a-z -]{1,24}\.?$/, use: 'the name of the thing first', in: ['comment'] },
  { pattern: /\bstands? for\b/i, use: 'represent, match or mean', in: ['comment'] },
  { pattern: /\bwins? over\b/i, use: 'take precedence over', in: prose },
  { pattern: /^Does the same\b/, use: 'the action', in: ['comment'] },
  { pattern: /^(It|Its|They|Their|That|Those|He|Them) /, use: 'the name of the thing', in: ['comment'] },
  { pattern: /\bin front\b(?! of\b)/i, use: 'in front of, and of what', in: prose },
  { pattern: /\blook(s|ed|ing)? at\b/i, use: 'read, check or evaluate', in: ['comment', 'markdown', 'title'] },
  {
    pattern: /(?<!@param )\b(?!(?:that|had|true|false|const)\b)([a-z]{2,}) \1\b/,
    use: 'the word once',
    in: ['comment', 'markdown'],
  },
  { pattern: /\bvouch(es|ed)?\b/i, use: 'guarantee, or assert' },
  { pattern: /\blaws?\b/i, use: 'property test, or invariant' },
  { pattern: /\bat once\b/i, use: 'immediately, at the same time, at a time, or together' },
  { pattern: /\bas far as\b/i, use: 'the part that, or those … that', in: prose },
  { pattern: /\bany more\b|\bfor ever\b|\bwithout end\b/i, use: 'no longer, or forever', in: prose },
  {
    pattern: /(?<!there )\b(is|are|was|were) no (?!longer|more|less|later|earlier|other|such|need|limit|way)[a-z]+\b/i,
    use: 'is not a',
    in: prose,
  },
  {
    pattern: /(?<!\bresponse )\b(is|are|was|were) (4(0[0-9]|1[35]|29)|50[0-4])\b(?! [a-z]*s\b)/i,
    use: 'is refused with, or the response is',
    in: ['comment', 'markdown', 'title'],
  },
  {
    pattern: /^(found|given|held|kept|left|made|wanted|meant|named|shown|own|hit|gone|cut|tagged)$/,
    use: 'a noun that says what the variable holds',
    in: ['name'],
    declares: 'variable',
  },
  {
    pattern: /^(?!versioned$)[a-z]+ed$/,
    use: 'a noun: `ImportResult`, not `Imported`',
    in: ['name'],
    declares: 'type',
  },
]

/** A text that has to keep a retired word, with the reason. */
export interface Exception {
  readonly file: string
  readonly text: RegExp
  readonly reason: string
}

/** The columns and tables of existing databases keep their names, and so do the properties of stored records. */
const stored = 'name of a column, a table or a stored property'

export const exceptions: readonly Exception[] = [
  { file: 'test/conventions/retired-words.ts', text: /./, reason: 'the list of the words itself' },
  { file: 'docs/glossary.md', text: /./, reason: 'explains which word replaces which' },
  { file: 'packages/storage-postgres/src/', text: /\b(lane|openings)\b/, reason: stored },
  { file: 'packages/storage-sqlite/src/', text: /\blane\b/, reason: stored },
  { file: 'packages/core/src/storage/port/tasks.ts', text: /^lane$/, reason: stored },
  { file: 'packages/core/src/resources/back-ups/record-line.ts', text: /^lane$/, reason: stored },
  { file: 'packages/storage-memory/src/tasks.ts', text: /^lane$/, reason: stored },
  { file: 'packages/conformance/src/storage/', text: /^lane$/, reason: stored },
  { file: 'packages/core/src/operation/change-log/change-log-entry.ts', text: /^besides$/, reason: stored },
  { file: 'packages/conformance/src/operations/change-log.property.test.ts', text: /^besides$/, reason: stored },
  { file: 'packages/cli/src/serve-options.ts', text: /^--remember /, reason: 'an option that scripts use' },
  { file: 'packages/', text: /^wire$|^wire: |`wire\b|--wire\b/, reason: 'an option that hosts pass' },
  { file: 'packages/console/src/app/', text: /^(turn )?question$/, reason: 'a question to a person, in a dialog' },
  { file: 'packages/core/src/rules/filter/query-filter.ts', text: /\| comparison comparison =/, reason: 'a grammar' },
  { file: 'bench/', text: /six faults/, reason: 'a key of bench/results.json' },
  { file: 'packages/import/src/flagd/condition.ts', text: /^left$/, reason: 'the left operand, beside `right`' },
  { file: 'packages/import/src/growthbook/read-growthbook.test.ts', text: /^property surprise$/, reason: 'test data' },
]
