package dev.revealed.mdp.choice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Families side by side, each with its own cells and parameters: what moves a variable under different actions. */
public final class SeparateFamilies implements TransitionFamily {
    private final List<TransitionFamily> families;
    private final List<String> names;
    private final int[] familyOf; // by cell
    private final int[] firstCell; // by family
    private final int[] firstParameter;

    public SeparateFamilies(List<? extends TransitionFamily> families) {
        this.families = List.copyOf(families);
        firstCell = new int[families.size() + 1];
        firstParameter = new int[families.size() + 1];
        List<String> all = new ArrayList<>();
        for (int f = 0; f < families.size(); f++) {
            all.addAll(families.get(f).names());
            firstCell[f + 1] = firstCell[f] + families.get(f).cells();
            firstParameter[f + 1] = all.size();
        }
        names = List.copyOf(all);
        familyOf = new int[firstCell[families.size()]];
        for (int f = 0; f < families.size(); f++) {
            Arrays.fill(familyOf, firstCell[f], firstCell[f + 1], f);
        }
    }

    public List<TransitionFamily> families() {
        return families;
    }

    /** The number that a family's cell has here. */
    public int cell(int family, int cell) {
        return firstCell[family] + cell;
    }

    /** The counts of one family. */
    public double[][] of(int family, double[][] counts) {
        return Arrays.copyOfRange(counts, firstCell[family], firstCell[family + 1]);
    }

    private TransitionFamily family(int cell) {
        return families.get(familyOf[cell]);
    }

    private int local(int cell) {
        return cell - firstCell[familyOf[cell]];
    }

    private double[] own(int family, double[] phi) {
        return firstParameter[family] == 0 && firstParameter[family + 1] == phi.length
                ? phi // the only family with parameters, perhaps very many
                : Arrays.copyOfRange(phi, firstParameter[family], firstParameter[family + 1]);
    }

    @Override
    public List<String> names() {
        return names;
    }

    @Override
    public int cells() {
        return familyOf.length;
    }

    @Override
    public int outcomes(int cell) {
        return family(cell).outcomes(local(cell));
    }

    @Override
    public void at(double[] phi, int cell, double[] p) {
        family(cell).at(own(familyOf[cell], phi), local(cell), p);
    }

    @Override
    public void derivative(double[] phi, int cell, int k, double[] dp) {
        int f = familyOf[cell];
        if (k < firstParameter[f] || k >= firstParameter[f + 1]) {
            Arrays.fill(dp, 0, outcomes(cell), 0);
        } else {
            family(cell).derivative(own(f, phi), local(cell), k - firstParameter[f], dp);
        }
    }

    @Override
    public double[] fit(double[][] counts) {
        double[] phi = new double[names.size()];
        for (int f = 0; f < families.size(); f++) {
            double[] own = families.get(f).fit(of(f, counts));
            System.arraycopy(own, 0, phi, firstParameter[f], own.length);
        }
        return phi;
    }

    @Override
    public void accumulate(double[] phi, int cell, double weight, double[] given, double[] gradient, int first) {
        int f = familyOf[cell];
        family(cell).accumulate(own(f, phi), local(cell), weight, given, gradient, first + firstParameter[f]);
    }

    @Override
    public double[][] information(double[] phi, double[][] counts) {
        double[][] information = new double[names.size()][names.size()];
        for (int f = 0; f < families.size(); f++) {
            double[][] block = families.get(f).information(own(f, phi), of(f, counts));
            for (int k = 0; k < block.length; k++) {
                System.arraycopy(block[k], 0, information[firstParameter[f] + k], firstParameter[f], block.length);
            }
        }
        return information;
    }

    @Override
    public double[][] influence(double[] phi, double[][] counts, double[] direction) {
        double[][] table = new double[cells()][];
        for (int f = 0; f < families.size(); f++) {
            double[][] block = families.get(f).influence(own(f, phi), of(f, counts), own(f, direction));
            System.arraycopy(block, 0, table, firstCell[f], block.length);
        }
        return table;
    }
}
