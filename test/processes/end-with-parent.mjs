// Loaded first by every child process: its standard input closes when its parent ends, however that happens.
process.stdin
  .on('end', () => process.exit())
  .resume()
  // The open input alone does not keep the process alive.
  .unref?.()
