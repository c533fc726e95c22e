package dev.revealed.numeric.sparse;

import java.util.Arrays;

/**
 * An elimination order that keeps fill low: minimum degree on the quotient graph, degrees bounded from above as in Amestoy,
 * Davis and Duff (1996). An eliminated node becomes an element, the clique of its neighbours; elements it touches are
 * absorbed, so the graph never grows. The order returned is a postorder of the elimination tree, which has the same fill
 * and keeps subtrees together in memory.
 */
public final class MinimumDegree {
    private static final int NONE = -1;

    private final int n;
    private final int[][] neighbour; // of a variable: variables; of an element: its variables
    private final int[] neighbours;
    private final int[][] element; // elements a variable belongs to
    private final int[] elements;
    private final int[] degree;
    private final int[] parent; // of a node in the elimination tree
    private final int[] mark;
    private int stamp;
    private final int[] outside; // of an element: variables that are not in the new element
    private final int[] outsideStamp;

    // variables by degree, in doubly linked lists
    private final int[] head;
    private final int[] next;
    private final int[] previous;

    private MinimumDegree(int n, int[] start, int[] column) {
        this.n = n;
        neighbour = symmetric(n, start, column);
        neighbours = new int[n];
        element = new int[n][4];
        elements = new int[n];
        degree = new int[n];
        parent = new int[n];
        mark = new int[n];
        outside = new int[n];
        outsideStamp = new int[n];
        head = new int[n + 1];
        next = new int[n];
        previous = new int[n];
        Arrays.fill(parent, NONE);
        Arrays.fill(head, NONE);
        for (int i = n - 1; i >= 0; i--) {
            neighbours[i] = neighbour[i].length;
            degree[i] = neighbours[i];
            link(i);
        }
    }

    /**
     * An order for a square matrix whose pattern, made symmetric, is the one given: {@code order[k]} is eliminated k-th.
     */
    public static int[] order(int n, int[] start, int[] column) {
        MinimumDegree graph = new MinimumDegree(n, start, column);
        int[] eliminated = new int[n];
        int least = 0;
        for (int k = 0; k < n; k++) {
            while (graph.head[least] == NONE) {
                least++;
            }
            int pivot = graph.head[least];
            graph.unlink(pivot);
            eliminated[k] = pivot;
            least = Math.min(least, graph.eliminate(pivot, n - k - 1));
        }
        return postorder(graph.parent, eliminated);
    }

    /** Makes the pivot an element and returns the least degree among its variables. */
    private int eliminate(int pivot, int left) {
        int[] clique = clique(pivot);
        stamp++; // now marks the new element
        for (int i : clique) {
            mark[i] = stamp;
        }
        for (int i : clique) {
            int kept = 0;
            for (int e = 0; e < elements[i]; e++) {
                int other = element[i][e];
                if (parent[other] == NONE) {
                    element[i][kept++] = other;
                    if (outsideStamp[other] != stamp) {
                        outsideStamp[other] = stamp;
                        outside[other] = neighbours[other];
                    }
                    outside[other]--;
                }
            }
            elements[i] = kept;
        }
        int least = n;
        for (int i : clique) {
            unlink(i);
            int kept = 0;
            for (int v = 0; v < neighbours[i]; v++) {
                int other = neighbour[i][v];
                if (mark[other] != stamp && other != pivot) {
                    neighbour[i][kept++] = other;
                }
            }
            neighbours[i] = kept;
            long bound = kept + clique.length - 1L;
            for (int e = 0; e < elements[i]; e++) {
                bound += outside[element[i][e]];
            }
            degree[i] = (int) Math.min(Math.min(left - 1, degree[i] + clique.length - 1L), bound);
            if (elements[i] == element[i].length) {
                element[i] = Arrays.copyOf(element[i], 2 * elements[i]);
            }
            element[i][elements[i]++] = pivot;
            link(i);
            least = Math.min(least, degree[i]);
        }
        neighbour[pivot] = clique;
        neighbours[pivot] = clique.length;
        return least;
    }

    /** All variables next to the pivot, directly or through an element; those elements are absorbed. */
    private int[] clique(int pivot) {
        stamp++;
        mark[pivot] = stamp;
        int size = neighbours[pivot];
        for (int e = 0; e < elements[pivot]; e++) {
            size += neighbours[element[pivot][e]];
        }
        int[] clique = new int[size];
        size = 0;
        for (int v = 0; v < neighbours[pivot]; v++) {
            int i = neighbour[pivot][v];
            if (mark[i] != stamp) {
                mark[i] = stamp;
                clique[size++] = i;
            }
        }
        for (int e = 0; e < elements[pivot]; e++) {
            int other = element[pivot][e];
            if (parent[other] != NONE) {
                continue;
            }
            for (int v = 0; v < neighbours[other]; v++) {
                int i = neighbour[other][v];
                if (mark[i] != stamp) {
                    mark[i] = stamp;
                    clique[size++] = i;
                }
            }
            parent[other] = pivot;
            neighbour[other] = new int[0];
        }
        return Arrays.copyOf(clique, size);
    }

    private void link(int i) {
        int first = head[degree[i]];
        next[i] = first;
        previous[i] = NONE;
        if (first != NONE) {
            previous[first] = i;
        }
        head[degree[i]] = i;
    }

    private void unlink(int i) {
        if (previous[i] == NONE) {
            head[degree[i]] = next[i];
        } else {
            next[previous[i]] = next[i];
        }
        if (next[i] != NONE) {
            previous[next[i]] = previous[i];
        }
    }

    private static int[][] symmetric(int n, int[] start, int[] column) {
        int[] count = new int[n];
        for (int i = 0; i < n; i++) {
            for (int e = start[i]; e < start[i + 1]; e++) {
                if (column[e] != i) {
                    count[i]++;
                    count[column[e]]++;
                }
            }
        }
        int[][] all = new int[n][];
        Arrays.setAll(all, i -> new int[count[i]]);
        Arrays.fill(count, 0);
        for (int i = 0; i < n; i++) {
            for (int e = start[i]; e < start[i + 1]; e++) {
                int j = column[e];
                if (j != i) {
                    all[i][count[i]++] = j;
                    all[j][count[j]++] = i;
                }
            }
        }
        Arrays.setAll(all, i -> Arrays.stream(all[i]).sorted().distinct().toArray());
        return all;
    }

    /** Children before parents, subtrees together, children in the order in which they were eliminated. */
    private static int[] postorder(int[] parent, int[] eliminated) {
        int n = parent.length;
        int[] child = new int[n];
        int[] sibling = new int[n];
        Arrays.fill(child, NONE);
        int roots = NONE;
        for (int k = n - 1; k >= 0; k--) {
            int i = eliminated[k];
            if (parent[i] == NONE) {
                sibling[i] = roots;
                roots = i;
            } else {
                sibling[i] = child[parent[i]];
                child[parent[i]] = i;
            }
        }
        int[] order = new int[n];
        int[] stack = new int[n];
        int count = 0;
        for (int root = roots; root != NONE; root = sibling[root]) {
            int depth = 0;
            stack[0] = root;
            while (depth >= 0) {
                int i = stack[depth];
                if (child[i] == NONE) {
                    order[count++] = i;
                    depth--;
                } else {
                    stack[++depth] = child[i];
                    child[i] = sibling[child[i]];
                }
            }
        }
        return order;
    }
}
