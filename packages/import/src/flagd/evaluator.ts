import type { EvaluationContext } from '@halyard/core/evaluation'
import type { OldEvaluator } from '../flag-format.ts'
import { readFlagdExport } from './export.ts'
import { flagdValues } from './values.ts'

/** The part of `@openfeature/flagd-core` that is used. */
interface FlagdLibrary {
  readonly FlagdCore: new (storage: undefined, logger: object) => FlagdCore
}

interface FlagdCore {
  setConfigurations(flagSet: string): unknown
  getFlag(key: string): FlagdFlag | undefined
}

interface FlagdFlag {
  readonly state: string
  evaluate(context: object): { readonly variant?: string; readonly reason: string; readonly errorMessage?: string }
}

const silentLogger = { error() {}, warn() {}, info() {}, debug() {} }

/** Opens the evaluator that flagd's in-process providers use. */
export async function openFlagd(library: unknown, exported: readonly unknown[]): Promise<OldEvaluator> {
  const read = readFlagdExport(exported)
  if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
  const core = new (library as FlagdLibrary).FlagdCore(undefined, silentLogger)
  core.setConfigurations(JSON.stringify(exported[0]))
  const values = new Map(Object.entries(read.flags).map(([key, { variants }]) => [key, flagdValues(variants)]))
  return {
    evaluate({ from, context }) {
      const flag = core.getFlag(from)
      if (!flag || flag.state === 'DISABLED') return { value: undefined, why: 'DISABLED' }
      const { variant, reason, errorMessage } = flag.evaluate(flagdContext(context))
      const value = variant === undefined ? undefined : values.get(from)?.valueNamed(variant)
      return { value, why: errorMessage ?? `${reason}${variant === undefined ? '' : ` ${variant}`}` }
    },
    close() {},
  }
}

function flagdContext({ kind: _, key, ...attributes }: EvaluationContext): object {
  return { targetingKey: key, ...attributes }
}
