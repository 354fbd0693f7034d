// Maps in order, of which copies share what none of them has changed since: a copy costs nothing, and a change the way to it.

/** What is kept under a key. */
export interface Entry<K, V> {
  readonly key: K;
  readonly value: V;
}

/** A node of a treap: a search tree by the keys, and a heap by weights that are drawn, which keep it flat. */
interface Node<K, V> extends Entry<K, V> {
  value: V;
  left: Tree<K, V>;
  right: Tree<K, V>;
  readonly weight: number;
  /** The map that made the node since it was copied last, and may change it. */
  readonly owner: object;
}

type Tree<K, V> = Node<K, V> | undefined;

/** Weights are below this, and take no room of their own. */
const WEIGHTS = 2 ** 30;

/** A map in the order of its keys. */
export class SharedMap<K extends string | number, V> {
  #root: Tree<K, V>;
  #owner = {};

  copy(): SharedMap<K, V> {
    const copy = new SharedMap<K, V>();
    copy.#root = this.#root;
    // From now on the nodes are shared, and never changed.
    this.#owner = {};
    return copy;
  }

  get(key: K): V | undefined {
    const found = this.from(key);
    return found?.key === key ? found.value : undefined;
  }

  /** The first entry whose key is not less. */
  from(key: K): Entry<K, V> | undefined {
    let first: Tree<K, V>;
    for (let node = this.#root; node !== undefined;) {
      if (node.key < key) {
        node = node.right;
      } else {
        first = node;
        node = node.key === key ? undefined : node.left;
      }
    }
    return first;
  }

  set(key: K, value: V): void {
    this.#root = this.#with(this.#root, key, value);
  }

  delete(key: K): void {
    this.#root = this.#without(this.#root, key);
  }

  /** The entries from a key on, in order, until something is changed. */
  *entries(key: K): Generator<Entry<K, V>, undefined> {
    const above: Node<K, V>[] = [];
    for (let node = this.#root; node !== undefined || above.length > 0;) {
      if (node === undefined) {
        const next = above.pop() as Node<K, V>;
        yield next;
        node = next.right;
      } else if (node.key < key) {
        node = node.right;
      } else {
        above.push(node);
        node = node.left;
      }
    }
  }

  #with(node: Tree<K, V>, key: K, value: V): Node<K, V> {
    if (node === undefined) return this.#node(key, value, undefined, undefined, Math.floor(Math.random() * WEIGHTS));
    const own = this.#own(node);
    if (key === own.key) {
      own.value = value;
    } else if (key < own.key) {
      const left = this.#with(own.left, key, value);
      own.left = left;
      if (left.weight > own.weight) {
        own.left = left.right;
        left.right = own;
        return left;
      }
    } else {
      const right = this.#with(own.right, key, value);
      own.right = right;
      if (right.weight > own.weight) {
        own.right = right.left;
        right.left = own;
        return right;
      }
    }
    return own;
  }

  #without(node: Tree<K, V>, key: K): Tree<K, V> {
    if (node === undefined) return undefined;
    if (key === node.key) return this.#joined(node.left, node.right);
    const own = this.#own(node);
    if (key < own.key) own.left = this.#without(own.left, key);
    else own.right = this.#without(own.right, key);
    return own;
  }

  /** Two trees as one, of which one ends before the other begins. */
  #joined(first: Tree<K, V>, second: Tree<K, V>): Tree<K, V> {
    if (first === undefined || second === undefined) return first ?? second;
    const own = this.#own(first.weight > second.weight ? first : second);
    if (first.weight > second.weight) own.right = this.#joined(own.right, second);
    else own.left = this.#joined(first, own.left);
    return own;
  }

  #own(node: Node<K, V>): Node<K, V> {
    const { key, value, left, right, weight, owner } = node;
    return owner === this.#owner ? node : this.#node(key, value, left, right, weight);
  }

  #node(key: K, value: V, left: Tree<K, V>, right: Tree<K, V>, weight: number): Node<K, V> {
    return { key, value, left, right, weight, owner: this.#owner };
  }
}
