// Loaded before the program: whenever it writes a message, something prints to standard output as well.

const stringify = JSON.stringify;
JSON.stringify = (value, ...others) => {
  if (value?.jsonrpc === "2.0") {
    console.log("noise of console");
    process.stdout.write("noise of write\n");
  }
  return stringify(value, ...others);
};
