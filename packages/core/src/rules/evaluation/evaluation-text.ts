import type {
  BucketExplanation,
  ClauseExplanation,
  FlagExplanation,
  PrerequisiteExplanation,
  RuleExplanation,
  SegmentExplanation,
  ServeExplanation,
} from './evaluation-explanation.ts'
import type { EvaluationReason, EvaluationResult } from './evaluation-result.ts'

/** Describes an evaluation in words: a line for each step, with the parts of a step indented below it. */
export function evaluationText(
  flagKey: string,
  outcome: EvaluationResult,
  flag: FlagExplanation | undefined,
  contextError: string | undefined,
): string {
  if (contextError !== undefined) return `the default: ${contextError}`
  if (!flag) return `the default: flag ${flagKey} does not exist`
  return [...linesOfFlag(flag), `so ${served(outcome)}: ${reasonText(outcome.reason)}`].join('\n')
}

function linesOfFlag(flag: FlagExplanation): string[] {
  const { key, on, prerequisites, target, rules, fallthrough, repeated } = flag
  if (repeated) return [`flag ${key} is explained above`]
  return [
    `flag ${key} is ${on ? 'on' : 'off'}`,
    ...indented(prerequisites.flatMap(linesOfPrerequisite)),
    ...(target ? [`  target: ${target.contextKind} ${target.contextKey} is listed`] : []),
    ...indented(rules.flatMap(linesOfRule)),
    ...(fallthrough ? [`  no rule matches, the default rule serves ${serveText(fallthrough)}`] : []),
  ]
}

function linesOfPrerequisite({ key, variation, met, flag, isInCycle }: PrerequisiteExplanation): string[] {
  const why = isInCycle ? 'is part of a cycle' : flag ? `has ${served(flag.outcome)}` : 'does not exist'
  const line = `prerequisite ${key} must serve variation ${variation}: ${met ? 'it does' : `it does not, it ${why}`}`
  return [line, ...indented(flag ? linesOfFlag(flag) : [])]
}

function linesOfRule({ index, id, matched, clauses, serve }: RuleExplanation): string[] {
  const name = id === undefined ? `rule ${index}` : `rule ${index} (${id})`
  const line = matched ? `${name} matches, it serves ${serve ? serveText(serve) : 'nothing'}` : `${name} does not match`
  return [line, ...indented(clauses.flatMap(linesOfClause))]
}

function linesOfClause({ clause, value, matched, malformed, segments }: ClauseExplanation): string[] {
  const { contextKind = 'user', attribute, op, negate } = clause
  const subject = op === 'segmentMatch' ? 'segments' : `${contextKind} ${attribute}`
  const actual =
    op === 'segmentMatch'
      ? ''
      : value === undefined
        ? ', which the context does not have'
        : `, has ${JSON.stringify(value)}`
  const condition = `${subject} ${negate ? 'not ' : ''}${op} ${JSON.stringify(clause.values ?? [])}${actual}`
  return [`${condition}: ${malformed ?? (matched ? 'yes' : 'no')}`, ...indented(segments.flatMap(linesOfSegment))]
}

const segmentWords = {
  list: 'its lists name the context',
  rule: 'a rule matches',
  nothing: 'no list names the context and no rule matches',
  'no segment': 'it does not exist',
  cycle: 'it refers to itself',
} as const

function linesOfSegment({ key, matched, decidedBy, rules, repeated }: SegmentExplanation): string[] {
  const line = `segment ${key}: ${matched ? 'in' : 'not in'}, ${segmentWords[decidedBy]}${repeated ? ', as explained above' : ''}`
  const inner = rules.flatMap((rule) => {
    const bucket = rule.bucket ? ` ${bucketText(rule.bucket)}` : ''
    return [
      `rule ${rule.index} ${rule.matched ? 'matches' : 'does not match'}${bucket}`,
      ...indented(rule.clauses.flatMap(linesOfClause)),
    ]
  })
  return [line, ...indented(inner)]
}

function serveText({ variationIndex, bucket }: ServeExplanation): string {
  const variation = variationIndex === null ? 'no variation' : `variation ${variationIndex}`
  return bucket ? `${variation} ${bucketText(bucket)}` : variation
}

function bucketText({ contextKind, hasContext, value: bucketValue, ends }: BucketExplanation): string {
  const position = hasContext
    ? `${contextKind} is at ${percent(bucketValue)}`
    : `the context has no ${contextKind}, which counts as 0 %`
  return `(${position}, shares end at ${ends.map(percent).join(', ')})`
}

function percent(part: number): string {
  return `${Number((part * 100).toFixed(3))} %`
}

function served({ variationIndex, value }: EvaluationResult): string {
  return variationIndex === null ? 'the default' : `variation ${variationIndex}, ${JSON.stringify(value)}`
}

function reasonText(reason: EvaluationReason): string {
  const { kind } = reason
  if (kind === 'RULE_MATCH') return `${kind} ${reason.ruleIndex}`
  if (kind === 'PREREQUISITE_FAILED') return `${kind} ${reason.prerequisiteKey}`
  return kind === 'ERROR' ? `${kind} ${reason.errorKind}` : kind
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}
