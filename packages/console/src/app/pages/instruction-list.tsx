/** Instructions as they are stored, one in each line. */
export function InstructionList({ instructions }: { instructions: readonly Readonly<Record<string, unknown>>[] }) {
  return <pre>{instructions.map((instruction) => JSON.stringify(instruction)).join('\n')}</pre>
}

/** Returns the kinds of instructions in words, such as "turn flag on, add rule". */
export function instructionNames(instructions: readonly Readonly<Record<string, unknown>>[]): string {
  return instructions
    .map(({ kind }) => String(kind).replace(/([A-Z][a-z])/g, (word) => ` ${word.toLowerCase()}`))
    .join(', ')
}
