/** Number of units, whose keys are `user-<number>`. */
export const unitCount = 200

/**
 * A purchase of a unit in a numbered report. Each unit with a purchase is also exposed, to the variation `unit % 2`.
 */
export interface NumberedPurchase {
  readonly unit: number
  readonly value: number
}

/** Returns the purchases of a report, which are the same each time that it is sent. */
export function purchasesOfReport(report: number): NumberedPurchase[] {
  return Array.from({ length: 10 }, (_, index) => ({
    unit: (report * 7 + index * 13) % unitCount,
    value: (report + index) % 10,
  }))
}

/** Returns the events of a report, in the form that SDKs send. */
export function eventsOfReport(report: number, at: number): object[] {
  const reason = { kind: 'FALLTHROUGH', inExperiment: true }
  return purchasesOfReport(report).flatMap(({ unit, value }) => {
    const shared = { creationDate: at, contextKeys: { user: `user-${unit}` } }
    return [
      { kind: 'feature', key: 'checkout', version: 1, variation: unit % 2, reason, ...shared },
      { kind: 'custom', key: 'buy', metricValue: value, ...shared },
    ]
  })
}
