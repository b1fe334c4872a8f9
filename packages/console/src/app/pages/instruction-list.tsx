/** Instructions as they are stored, one in each line. */
export function InstructionList({ instructions }: { instructions: readonly Readonly<Record<string, unknown>>[] }) {
  return <pre>{instructions.map((instruction) => JSON.stringify(instruction)).join('\n')}</pre>
}
