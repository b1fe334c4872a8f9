/** The file of a flag set of flagd. */
export const text = JSON.stringify({
  flags: { checkout: { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' } },
})
