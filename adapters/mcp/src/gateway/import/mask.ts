// Hides what looks like a secret in what a person is shown; e2e/gateway/masks.json says how. Knows no client and no file.

const hidden = "***";
const secretWord = /token|key|secret|password|passwd|pwd|auth|credential|bearer|cookie/i;
const knownStart = /^(sk-|pk_|rk_|gh[pousr]_|github_pat_|glpat-|xox[abp]-|npm_|pypi-|AKIA|AIza|eyJ|hf_)/;
const longAndMixed = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+/=_-]{24,}$/;
const path = /^(\/|\.\.?\/|~\/)/;
const address = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//;

/** The arguments of a program. */
export function maskArguments(args: readonly string[]): string[] {
  return args.map((arg, place) => {
    if (isReference(arg)) return arg;
    const before = args[place - 1];
    const namesSecret = before?.startsWith("-") && !before.includes("=") && secretWord.test(before);
    return namesSecret ? hidden : maskOne(arg);
  });
}

/** An address. */
export function maskAddress(url: string): string {
  if (isReference(url)) return url;
  const [, start = "", authority = "", folders = "", query = "", rest = ""] =
    /^([^:]*:\/\/)([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? [];
  if (start === "") return maskOne(url);
  const shownQuery = query.replace(/=[^&]*/g, `=${hidden}`);
  const shownPath = folders
    .split("/")
    .map((segment) => (looksSecret(segment) ? hidden : segment))
    .join("/");
  return start + maskUser(authority) + shownPath + shownQuery + (rest === "" ? "" : `#${hidden}`);
}

function maskUser(authority: string): string {
  const place = authority.lastIndexOf("@");
  if (place < 0) return authority;
  const [user = "", password] = authority.slice(0, place).split(/:(.*)/s);
  return `${password === undefined ? hidden : `${user}:${hidden}`}${authority.slice(place)}`;
}

function maskOne(arg: string): string {
  if (address.test(arg)) return maskAddress(arg);
  const [, name, sign, value] = /^(-{0,2}[A-Za-z0-9_.-]+)(=|:\s*)(.*)$/s.exec(arg) ?? [];
  if (name !== undefined && sign !== undefined && value !== undefined) {
    if (secretWord.test(name) && value !== "") return name + sign + hidden;
    if (sign === "=") return `${name}=${maskOne(value)}`;
  }
  return looksSecret(arg) ? hidden : arg;
}

function looksSecret(text: string): boolean {
  return knownStart.test(text) || (longAndMixed.test(text) && !path.test(text));
}

/** What a variable stands for is nowhere in the text. */
function isReference(text: string): boolean {
  return text.includes("${");
}
