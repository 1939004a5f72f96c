/** "HTTPRoute" as words: "HTTP", "Route". */
function wordsOf(name: string): readonly string[] {
  return name.match(/[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+/g) ?? [];
}

/** "http-route" for "HTTPRoute": the name of a folder, a controller, a function. */
export function kebabOf(name: string): string {
  return wordsOf(name).join("-").toLowerCase();
}

/** "httpRoute" for "HTTPRoute" and for "http-route". */
export function camelOf(name: string): string {
  const [first = "", ...rest] = wordsOf(name);
  return first.toLowerCase() + rest.map(capitalized).join("");
}

/** "HttpRoute" for "http-route". */
export function pascalOf(name: string): string {
  return wordsOf(name).map(capitalized).join("");
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** Endings that stay as they are. */
const UNCHANGED = /(data|series|species|endpoints)$/;

/**
 * The plural of a kind in lower case, by the plain rules of English. Irregular words are not known
 * ("persons"): whoever wants another says so with `--plural`.
 */
export function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (UNCHANGED.test(singular)) return singular;
  if (/[^aeiou]y$/.test(singular)) return singular.replace(/y$/, "ies");
  if (singular.endsWith("sis")) return singular.replace(/is$/, "es");
  if (/(s|x|z|ch|sh)$/.test(singular)) return `${singular}es`;
  return `${singular}s`;
}

/** Words that name nothing in JavaScript, and names that stand in the generated files. */
const TAKEN =
  /^(arguments|await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|eval|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|undefined|var|void|while|with|yield|apply|children|config|crd|env|expect|log|message|spec|status|test)$/;

/** The variable that holds an object of the kind; one that is free for it. */
export function variableOf(kind: string): string {
  const name = camelOf(kind);
  return TAKEN.test(name) ? `${name}Object` : name;
}
