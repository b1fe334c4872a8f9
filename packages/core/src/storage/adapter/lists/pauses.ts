/** Makes a function that long work calls between its steps, so that other work of the process can run. */
export type Pauses = () => () => Promise<void> | undefined
